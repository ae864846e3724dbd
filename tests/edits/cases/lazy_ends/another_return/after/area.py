import math

def area(r):
    check(r)
    return math.pi * r * r

def main():
    pass
