import a
import b
import c


class C:
    x = 1
