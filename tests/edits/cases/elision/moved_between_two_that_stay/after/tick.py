def tick(clock):
    clock.lock()
    log("tick")
    now = clock.read()
    if now:
        show(now)
        store(now)
    clock.unlock()
    return now
