def f0(n):
    total = n * 0
    total += 1
    return total

def f1(n):
    total = n * 1
    total += 1
    return total

def f2(n):
    total = n * 2
    total += 1
    return total

def f3(n):
    total = n * 3
    total += 1
    return total

def f4(n):
    total = n * 4
    total += 1
    return total

def f5(n):
    total = n * 5
    total += 2
    return total

def f6(n):
    total = n * 6
    total += 1
    return total

def f7(n):
    total = n * 7
    total += 1
    return total
