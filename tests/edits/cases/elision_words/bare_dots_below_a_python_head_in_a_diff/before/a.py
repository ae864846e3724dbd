class A:
    def f(self) -> int:
        return 1

    x: int
