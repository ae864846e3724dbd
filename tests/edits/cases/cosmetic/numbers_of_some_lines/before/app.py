def load(path):
    with open(path) as file:
        return file.read()


def save(path, text):
    pass
