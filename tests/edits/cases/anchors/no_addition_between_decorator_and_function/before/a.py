@cached
def f():
    return a
