import os

name = "a"
print(name)
print(os.getcwd())
