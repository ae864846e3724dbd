def f(x):
    if x:
        a = 1
        b = 2
        c = 3
    y = 0
    return a
