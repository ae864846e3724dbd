# ‘y’ is another one
s = 'y'
