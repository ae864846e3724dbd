class Room:
    def __hash__(self):
        return hash(self.name)

    def __eq__(self, other):
        if self is other:
            return True
        return self.name == other.name


class Floor:
    def __hash__(self):
        return hash(self.level)

    def __eq__(self, other):
        if self is other:
            return True
        return self.level == other.level
