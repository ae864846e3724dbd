class Shop:
    def open(self):
        self.unlock()

    def close(self):
        self.lock()
        self.log("closed")

def main():
    Shop().open()
