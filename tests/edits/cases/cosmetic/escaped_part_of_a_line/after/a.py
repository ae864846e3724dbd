def f():
    x = print("b")
