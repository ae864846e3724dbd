def ship(box):
    start(box)
    # a
    one(box)
    # b
    two(box)
    # c
    three(box)
    end(box)


def other():
    return 1
