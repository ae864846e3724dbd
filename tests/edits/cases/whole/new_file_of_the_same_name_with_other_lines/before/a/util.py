import os

def load(path):
    return os.stat(path)

def save(path):
    os.sync()
