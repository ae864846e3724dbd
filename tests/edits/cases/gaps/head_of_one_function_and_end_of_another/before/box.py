class Box:
    def load(self, name):
        path = self.path_of(name)

        return open(path)

    def save(self, name, text):
        path = self.folder / name

        self.count += 1
        return write(path, text)
