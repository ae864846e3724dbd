class Box:
    def size(self):
        """Tell the size.

        In bytes, without the lid.
        """
        return self.n
