import os

class Box:
    def open(self):
        self.lid.lift()

    def shut(self):
        self.lid.drop()
