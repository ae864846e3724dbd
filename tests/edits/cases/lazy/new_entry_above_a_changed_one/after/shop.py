class Shop:
    def open(self):
        self.unlock()

    def count(self):
        return len(self.items)

    def close(self):
        self.log("closed")

def main():
    Shop().open()
