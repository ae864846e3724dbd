class Box:
    def put(self, thing):
        self.things.append(thing)
        log("put %s", thing)

    def take(self):
        thing = self.things.pop()
        log("took %s", thing)


class RemoteBox(Box):
    def ping(self):
        return self.client.ping()
