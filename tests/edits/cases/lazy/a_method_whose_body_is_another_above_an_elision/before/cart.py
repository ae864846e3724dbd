class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        result = 0
        for name, price in self.items:
            result += price
        return result

    def report(self):
        for name, price in self.items:
            print(name, price)
