class A:
    def load_all(self):
        x = 1
        return x

    def save(self):
        x = 2
        return x
