import math

def area(r):
    check(r)
    return 3.14 * r * r

def main():
    pass
