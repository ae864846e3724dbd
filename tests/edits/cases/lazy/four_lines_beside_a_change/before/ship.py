def ship(box):
    start(box)
    one(box)
    two(box)
    three(box)
    four(box)
    end(box)


def other():
    return 1
