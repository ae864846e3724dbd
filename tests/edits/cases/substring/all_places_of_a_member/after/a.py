def wait(self, pause):
    self.pause = pause
    sleep(self.pause)
