def load_user(path):
    data = read(path)
    check(data)
    return data
