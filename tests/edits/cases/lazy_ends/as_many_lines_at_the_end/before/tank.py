WIDTH = 3


def fill(tank):
    level = tank.level
    tank.close()
    return level
