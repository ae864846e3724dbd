def f():
    # total = price * amount
    # plus tax
    return 1
