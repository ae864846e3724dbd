x = g(1)
y = g(2)
