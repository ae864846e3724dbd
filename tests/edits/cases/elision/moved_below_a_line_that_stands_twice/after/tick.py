def tick(clock):
    log("tick")
    clock.lock()
    log("tick")
    now = clock.read()
    if now:
        show(now)
        store(now)
    return now
