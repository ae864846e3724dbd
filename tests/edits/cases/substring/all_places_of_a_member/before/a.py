def wait(self, delay):
    self.delay = delay
    sleep(self.delay)
