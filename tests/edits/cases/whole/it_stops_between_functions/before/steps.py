def step_1(rows):
    total = 1
    for row in rows:
        total += row
    return total


def step_2(rows):
    total = 2
    for row in rows:
        total += row
    return total


def step_3(rows):
    total = 3
    for row in rows:
        total += row
    return total


def step_4(rows):
    total = 4
    for row in rows:
        total += row
    return total


def step_5(rows):
    total = 5
    for row in rows:
        total += row
    return total


def step_6(rows):
    total = 6
    for row in rows:
        total += row
    return total


def step_7(rows):
    total = 7
    for row in rows:
        total += row
    return total


def step_8(rows):
    total = 8
    for row in rows:
        total += row
    return total
