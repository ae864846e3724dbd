x = 1
y = 2
z = 3
q = 1
