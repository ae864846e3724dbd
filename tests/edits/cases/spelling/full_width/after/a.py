print("a", 2)
