def area():
    w = 3
    h = 2
