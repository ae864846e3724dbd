"""
Rates
=======

They are kept in cents.
"""
def rate(day):
    return TABLE[day]
