class A:
    def one(self):
        start()
        walk()
        halt()


  # def one(self):
