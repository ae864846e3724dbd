def f(self):
    compute(first_value, second_value)
    check(result)
    return result
