def f():
    print("a\n")
