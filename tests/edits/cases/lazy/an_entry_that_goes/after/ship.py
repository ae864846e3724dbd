def ship(box, now):
    start(box)
    end(box)


def other():
    return 1
