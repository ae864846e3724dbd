x = 1
q = 1
y = 2
z = 3
