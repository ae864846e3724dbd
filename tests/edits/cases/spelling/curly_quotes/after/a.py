print("b")
x = 1
