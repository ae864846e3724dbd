class Shelf:
    def put(self, book):
        self.books.append(book)

    def lend(self, book):
        self.lent.add(book)

    def all(self):
        return list(self.books)

    def count(self):
        return len(self.books)
