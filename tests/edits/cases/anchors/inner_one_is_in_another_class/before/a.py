class A:
    def save(self):
        return 2

class B:
    def load(self):
        x = 1
        return x
