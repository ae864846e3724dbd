def step_one(x):
    return x + 0

def step_two(x):
    return x + 1

def step_six(x):
    return x + 2

def step_ten(x):
    return x + 3

