def f():
    print("a")
