q = 1

def f():
    pass
