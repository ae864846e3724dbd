def price(day):
    return 1
