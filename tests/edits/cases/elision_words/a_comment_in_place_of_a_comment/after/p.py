def twice(self, ev):
    # Other cases
    self.area.add(mid)
