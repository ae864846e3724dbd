import os


def step_1(x):
    y = x + 1
    log(y)
    return y * 1


def step_2(x):
    y = x + 2
    log(y)
    return y * 2


def step_3(x):
    y = x + 3
    log(y)
    return y * 3


def step_4(x):
    y = x + 4
    log(y)
    return y * 4


def step_5(x):
    y = x + 5
    log(y)
    return y * 5


def step_6(x):
    y = x + 6
    log(y)
    return y * 6


