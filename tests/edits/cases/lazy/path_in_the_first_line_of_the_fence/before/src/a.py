import os


def f(x):
    if x:
        return os.name
    return None


def g(x):
    return x
