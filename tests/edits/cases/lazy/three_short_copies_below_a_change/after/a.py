def f(x):
    if x > 2:
        a = 1
        b = 2
        c = 3
    y = 0
    a = 1
    b = 2
    c = 3
    return a
