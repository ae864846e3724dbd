def f(x):
    if x:
        log(x)
        show(x)
    return x


def g(x):
    y = 0
    log(x)
    show(x)
    return y
