flow = 4
rate = 3
