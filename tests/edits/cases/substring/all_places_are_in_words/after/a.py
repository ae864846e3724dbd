load_a = 1
load_b = 2
