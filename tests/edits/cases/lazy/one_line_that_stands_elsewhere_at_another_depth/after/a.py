def f(x):
    if x:
        log(x)
    return x


def g(x):
    log(x)
    show(x)
    return x
