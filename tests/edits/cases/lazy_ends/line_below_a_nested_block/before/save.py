def save(path):
    with open(path) as f:
        dump(f)
    return True


def main():
    save("a")
