f(x1, x1)
