s = 'y'
t = "it’s not"
