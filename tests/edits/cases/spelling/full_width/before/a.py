print("a", 1)
