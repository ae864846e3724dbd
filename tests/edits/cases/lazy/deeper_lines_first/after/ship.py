def ship(box, now):
    if box:
        start(box)
    end(box)


def other():
    return 1
