NAMES = ['a', 'b']


def pick(n):
    return NAMES.index(n)
