def f():
    one()
    two()
