class Q:
    def size(self):
        if self.x:
            return 1
        return 2
