class Box:
    def size(self):
        """Tell the size.

        In bytes.
        """
        return self.n
