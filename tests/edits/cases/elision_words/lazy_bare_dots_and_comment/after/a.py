def a():
    x = 2
    return x

def b():
    return 2
