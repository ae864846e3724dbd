class A:
    def load(self):
        return 2

class B:
    def save(self):
        x = 1
        return x
