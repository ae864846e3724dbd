def f():
    eins()
    zwei()
