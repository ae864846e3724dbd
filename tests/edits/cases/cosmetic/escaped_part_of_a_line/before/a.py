def f():
    x = print("a")
