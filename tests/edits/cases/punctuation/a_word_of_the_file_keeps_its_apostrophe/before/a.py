s = 'x'
t = "it’s"
