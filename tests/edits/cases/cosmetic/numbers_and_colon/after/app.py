def load(path):
    with open(path, "rb") as file:
        return file.read()


def save(path, text):
    pass
