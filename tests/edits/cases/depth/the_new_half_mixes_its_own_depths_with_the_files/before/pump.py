class Pump:
    def drain(self):
        level = self.level
        self.open()
        return level
