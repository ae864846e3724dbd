WIDTH = 3


def fill(tank):
    level = tank.level
    while level < WIDTH:
        level += tank.pour()
    tank.close()
    return level
