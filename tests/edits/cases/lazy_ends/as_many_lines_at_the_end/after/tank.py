WIDTH = 3


def fill(tank):
    level = tank.level + WIDTH
    tank.close()
    return level
