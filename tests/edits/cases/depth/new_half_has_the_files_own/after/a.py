class A:
    def f(self):
        x = 2
        return x

    def g(self):
        pass
