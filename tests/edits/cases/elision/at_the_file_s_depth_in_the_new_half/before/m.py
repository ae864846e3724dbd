def m():
    a = 1
    print('''
    x
    ''')
    b = 2
    return a
