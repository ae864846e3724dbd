def area():
    w = 1
    h = 2
