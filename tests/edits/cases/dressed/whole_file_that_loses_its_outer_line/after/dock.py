    seal = crate.seal
    weigh(crate)
    ship(crate)
    note(crate, 1)
