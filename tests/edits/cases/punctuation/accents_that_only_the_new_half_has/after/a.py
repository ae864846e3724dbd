s = "thé"
t = 2
