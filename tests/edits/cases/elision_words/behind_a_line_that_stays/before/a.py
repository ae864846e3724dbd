def f():
    one()
    two()
    three()
    four()
    return 1
