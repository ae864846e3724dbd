def read(self, name):
    if name in self.cache:
        return self.cache[name]
    with open(name) as file:
        value = json.load(file)
    self.cache[name] = value
    return value
