f(x);
g(x);
