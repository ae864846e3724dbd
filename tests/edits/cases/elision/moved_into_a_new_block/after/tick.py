def tick(clock):
    now = clock.read()
    if now:
        count(now)
        show(now)
        store(now)
    return now
