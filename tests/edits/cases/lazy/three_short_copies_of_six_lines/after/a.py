def f(x):
    if x:
        a = 1
        b = 2
        c = 3
    y = 0
    a = 1
    b = 2
    c = 3
    d = 4
    e = 5
    g = 6
    return a
