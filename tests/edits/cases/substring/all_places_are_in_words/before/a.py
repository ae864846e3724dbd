get_a = 1
get_b = 2
