def f():
    return a

def g():
    return b
