def ship(box):
    start(box)
    if box.big:
        one(box)
        two(box)
        three(box)
    four(box)
    end(box)


def other():
    return 1
