def tick(clock):
    with lock:
        now = clock.read()
        show(now)
        store(now)
        return now
