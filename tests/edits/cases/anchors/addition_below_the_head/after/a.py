def f():
    return a

def g():
    x = 1
    return b
