class A:
    def one(self):
        start()
        walk()
        stop()


  # def one(self):
