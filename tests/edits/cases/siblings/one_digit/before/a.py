def load2(path):
    data = read(path)
    check(data)
    return data
