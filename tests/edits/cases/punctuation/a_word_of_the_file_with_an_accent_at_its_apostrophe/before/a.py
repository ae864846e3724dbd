s = 'x'
t = "DÉJÀ’VU"
