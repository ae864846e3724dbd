def tick(clock):
    now = clock.read()
    show(now)

    store(now)

    return now
