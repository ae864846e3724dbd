class A:
    def f(self) -> int:
        ...

    x: int
