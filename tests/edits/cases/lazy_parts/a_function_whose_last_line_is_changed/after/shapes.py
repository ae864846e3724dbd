import math


def area(r):
    return math.pi * r * r


def perimeter(r):
    return 2 * math.pi * r


def volume(r):
    return 4 / 3 * 3.14 * r ** 3
