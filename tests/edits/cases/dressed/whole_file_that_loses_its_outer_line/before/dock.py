head = 1
    seal = crate.seal
    weigh(crate)
    ship(crate)
    note(crate)
