name = 'Zoe'
print(name)
