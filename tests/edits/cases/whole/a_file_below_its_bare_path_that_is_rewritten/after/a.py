import os


def first(x):
    x += first_0
    x += first_1
    x += first_2
    return x


def two(x):
    x += two_0
    x += two_1
    x *= 2
    return x


def last(x):
    x += last_0
    x += last_1
    return x
