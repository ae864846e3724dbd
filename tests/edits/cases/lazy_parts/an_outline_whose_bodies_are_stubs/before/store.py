import json


def load(path):
    with open(path) as file:
        return json.load(file)


def save(path, rows):
    text = json.dumps(rows)
    with open(path, "w") as file:
        file.write(text)


def main():
    rows = load("rows.json")
    save("rows.json", rows)
