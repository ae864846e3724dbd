def add(self, item):
    self.items.append(item)
    self.count += 1
    log("added %s", item)
