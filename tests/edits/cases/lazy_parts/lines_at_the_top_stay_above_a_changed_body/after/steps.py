# Written by hand.
# Do not format.
import os


def step_1(x):
    return x


def step_2(x):
    y = x + 2
    return y * 2


def step_3(x):
    y = x + 3
    return y * 3


def step_4(x):
    y = x + 4
    return y * 4


def step_5(x):
    y = x + 5
    return y * 5


def step_6(x):
    y = x + 6
    return y * 6


