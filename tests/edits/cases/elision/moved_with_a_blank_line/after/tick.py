def tick(clock):
    now = clock.read()
    if now:
        show(now)

        store(now)

    return now
