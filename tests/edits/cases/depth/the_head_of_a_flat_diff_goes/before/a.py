class Q:
    def run(self):
        for x in self.all:
            one(x)
        return 1
