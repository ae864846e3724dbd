x = f(1)
y = f(2)
