import os
import sys


def one(x):
    x += one_0
    x += one_1
    x += one_2
    x += one_3
    return x


def two(x):
    x += two_0
    x += two_1
    x += two_2
    x += two_3
    x *= 2
    return x


def three(x):
    x += three_0
    x += three_1
    x += three_2
    x += three_3
    return x
