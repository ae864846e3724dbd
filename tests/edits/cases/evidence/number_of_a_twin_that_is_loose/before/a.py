class A:
    def load(self, k):
        v = self.read(k)
        self.seen[k] = v
        return v


# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
# filler
class B:
    def load(self, k):
        v = self.fetch(k)
        self.seen[k] = v
        return wrap(v)
