one(x);
two(x);
three(x);
