class A:
    def f(self):

        ...
