def one(x):
    x += one_0
    x += one_1
    x += one_2
    x += one_3
    x += one_4
    x *= 2
    return x


def two(x):
    x += two_0
    x += two_1
    x += two_2
    x += two_3
    x += two_4
    return x
