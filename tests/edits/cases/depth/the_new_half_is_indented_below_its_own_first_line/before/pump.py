class Pump:
    def drain(self):
        if self.level:
            self.open()
        return self.level
