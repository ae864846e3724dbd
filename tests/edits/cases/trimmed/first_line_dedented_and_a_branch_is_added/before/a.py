def f(x):
    if x:
        y()
