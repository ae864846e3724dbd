class A:
    def load_all(self):
        x = 1
        return x
