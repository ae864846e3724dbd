import os


class Store:
    def open(self, name):
        path = self.folder / name
        self.count += 1
        return path.open()

    def close(self):
        self.count = 0
