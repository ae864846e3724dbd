val a = 2
