def f(x):
    if x:
        g(1)
    return 2
