import a
import b


class C:
    x = 1
