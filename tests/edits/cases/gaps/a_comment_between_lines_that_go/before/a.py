a = 1
# why
b = 2
c = 3
