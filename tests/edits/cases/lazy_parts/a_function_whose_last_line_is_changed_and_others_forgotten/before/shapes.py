import math


def area(r):
    return math.pi * r * r


def perimeter(r):
    check(r)
    log("perimeter", r)
    count("perimeter")
    total = 2 * 3.14
    return total * r


def volume(r):
    return 4 / 3 * 3.14 * r ** 3
