a = first()
b = second(a)
c = third(b)
d = third(b)
