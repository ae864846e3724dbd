f(z)
g(y)
f(z)
