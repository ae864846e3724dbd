name = 'Zoa'
