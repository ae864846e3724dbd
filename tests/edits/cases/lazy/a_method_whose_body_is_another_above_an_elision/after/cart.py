class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        return sum(price for name, price in self.items)

    def report(self):
        for name, price in self.items:
            print(name, price)
