# ‘y’ is another one
s = 'x'
