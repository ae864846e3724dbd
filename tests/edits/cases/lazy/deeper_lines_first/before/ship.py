def ship(box):
    if box:
        start(box)
        one(box)
        two(box)
        three(box)
    four(box)
    five(box)
    end(box)


def other():
    return 1
