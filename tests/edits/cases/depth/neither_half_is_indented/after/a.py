def f(x):
    if not x:
        return 3
    return 2
