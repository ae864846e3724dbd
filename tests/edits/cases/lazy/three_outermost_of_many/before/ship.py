def ship(box):
    start(box)
    if box.big:
        one(box)
        two(box)
    four(box)
    five(box)
    end(box)


def other():
    return 1
