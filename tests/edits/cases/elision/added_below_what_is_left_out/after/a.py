a = 1
x = 1
y = 1
new = 1
z = 2
c = 3
