def fill(pump):
    return pump.fill(4)


def drain(pump):
    return pump.drain()
