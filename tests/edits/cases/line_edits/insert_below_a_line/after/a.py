def f():
    one()
    eins()
    two()
