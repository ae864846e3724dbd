s = 'x'
t = f(it’s)
