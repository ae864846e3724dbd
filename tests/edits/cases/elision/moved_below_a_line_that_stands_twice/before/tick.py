def tick(clock):
    log("tick")
    clock.lock()
    log("tick")
    now = clock.read()
    show(now)
    store(now)
    return now
