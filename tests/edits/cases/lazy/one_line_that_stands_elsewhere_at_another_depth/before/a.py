def f(x):
    if x:
        log(x)
    return x


def g(x):
    show(x)
    return x
