def tick(clock):
    clock.lock()
    now = clock.read()
    show(now)
    store(now)
    clock.unlock()
    return now
