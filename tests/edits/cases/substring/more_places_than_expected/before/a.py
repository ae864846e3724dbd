x = f(1)
y = f(2)
z = f(3)
