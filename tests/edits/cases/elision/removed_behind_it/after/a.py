def a():
    one()
    two()
    drei()

def b():
    one()
