def load(crate):
    seal = crate.seal
    weigh(crate)
    return seal
