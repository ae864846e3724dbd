class A:
    def f(self):
        tool.print(1)
        tool.open()
        tool.print(2)
        tool.close()
        done()
