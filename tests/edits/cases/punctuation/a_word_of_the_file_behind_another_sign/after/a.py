s = 'y'
u= "it’s"
t = f(it’s)
