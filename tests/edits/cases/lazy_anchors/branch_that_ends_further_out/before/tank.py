def drain(tank):
    if tank.empty:
        log.warning("empty")
        return -1
    open_valve(tank)
    wait(tank)
    return tank.level
