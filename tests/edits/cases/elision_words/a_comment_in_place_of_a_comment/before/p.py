def twice(self, ev):
    # Put it there
    mid = self.area.middle()
    self.area.add(mid)
