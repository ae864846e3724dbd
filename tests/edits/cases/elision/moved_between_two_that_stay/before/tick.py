def tick(clock):
    clock.lock()
    log("tick")
    now = clock.read()
    show(now)
    store(now)
    clock.unlock()
    return now
