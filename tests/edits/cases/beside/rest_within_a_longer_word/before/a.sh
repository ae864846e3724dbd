echo first, x
