def m():
    a = 2
    print('''
    x
    ''')
    b = 2
    return a
