class Pot:
    def fill(self):
        r = pour(1)
        check(r)

    def heat(self):
        r = pour(2)
        check(r)


def main():
    go()
