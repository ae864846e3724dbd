import os


def one():
    x = 1
    return x


def three():
    return 3
