class Shop:
    def open(self):
        self.doors.unlock()
        self.till.count()

    def close(self):
        self.till.lock()
        self.doors.lock()
