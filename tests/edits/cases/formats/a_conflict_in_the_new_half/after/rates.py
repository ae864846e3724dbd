SAMPLE = """
<<<<<<< ours
a long line of the first side
=======
a long line of the second side
>>>>>>> theirs
"""
def rate(day):
    return TABLE[day]
