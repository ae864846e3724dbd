s = "x"
t = 1
