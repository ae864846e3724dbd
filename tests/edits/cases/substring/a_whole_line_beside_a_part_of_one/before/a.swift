print(n)
if debug { print(n) }
