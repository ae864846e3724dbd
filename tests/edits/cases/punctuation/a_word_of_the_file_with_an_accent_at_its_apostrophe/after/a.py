s = 'y'
t = "DÉJÀ’VU ici"
