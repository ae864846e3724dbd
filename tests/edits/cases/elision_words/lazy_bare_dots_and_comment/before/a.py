def a():
    x = 1
    return x

def b():
    return 2
