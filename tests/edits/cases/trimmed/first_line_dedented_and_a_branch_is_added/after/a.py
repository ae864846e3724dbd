def f(x):
    if x:
        y()
    else:
        z()
