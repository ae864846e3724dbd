import os

def a():
    return 1


def b():
    x = 1
    y = 2
    return x


def c():
    return 3
