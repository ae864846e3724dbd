def f():
    eins()
    two()
