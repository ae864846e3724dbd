def drain(tank):
    if tank.empty:
        ring(tank)
        return -1
    open_valve(tank)
    wait(tank)
    return tank.level
