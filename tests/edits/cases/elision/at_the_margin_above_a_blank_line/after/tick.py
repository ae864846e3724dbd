def tick(clock):
    now = clock.read(1)
    show(now)
    store(now)

    return now
