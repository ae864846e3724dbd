class Shop:
    def open(self):
        self.doors.unlock()
        self.till.count()

    def rest(self):
        self.owner.sleep(10)

    def close(self):
        self.till.lock()
        self.doors.lock()
