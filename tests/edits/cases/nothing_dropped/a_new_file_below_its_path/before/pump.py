flow = 2
rate = 3
