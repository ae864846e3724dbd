def twice(self, ev):
    # Bu da aynı işi yapar
    self.area.add(mid)
