import os


def under(limit):
    "A number."
    if limit < 1:
        raise ValueError(limit)
    return pick(limit)


MOST = 5


def name(size=None):
    "A text."
    return take(size)
