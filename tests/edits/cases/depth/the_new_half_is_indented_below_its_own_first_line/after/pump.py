class Pump:
    def drain(self):
        if self.level:
            self.close()
        return self.level
