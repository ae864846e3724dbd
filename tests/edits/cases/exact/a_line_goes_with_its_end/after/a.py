def area():
    h = 2
