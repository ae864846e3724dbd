def front(self):
    # the front door
    result = compute(first_value, second_value,
                     third_value)
    check(result)


def back(self):
    result = compute(first_value, second_value,
                     third_value)
    check(result)
    return result
