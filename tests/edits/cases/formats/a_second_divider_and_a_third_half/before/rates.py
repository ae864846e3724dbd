# Rates are kept in cents.
def rate(day):
    return TABLE[day]
