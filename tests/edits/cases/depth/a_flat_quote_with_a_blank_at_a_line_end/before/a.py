def fill(pump):
    return pump.fill(3)


def drain(pump):
    return pump.drain()
