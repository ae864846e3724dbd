def load(crate):
    seal = crate.seal
    weigh(crate)
    return seal


def ship(crate):
    crate.lock()
    return crate.send()
