def load(path):
    with open(path) as file:
        return read(file)


def save(path, data):
    with open(path, 'w') as file:
        json.dump(data, file)
