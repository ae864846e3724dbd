id = 1
valid = 2
print(id)
