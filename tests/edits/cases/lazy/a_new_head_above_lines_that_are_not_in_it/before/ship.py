def ship(box):
    start(box)
    one(box)
    end(box)


def other():
    return 1
