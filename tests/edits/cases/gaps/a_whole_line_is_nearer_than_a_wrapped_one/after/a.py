def front(self):
    result = compute(first_value, second_value,
                     third_value)
    check(result)
    return result


def back(self):
    result = compute(first_value, second_value, third_value)

    check(result)
    return result + 1
