def run(x):
    return x + 1

# pad 0
# pad 1
# pad 2
# pad 3
# pad 4
# pad 5
# pad 6
# pad 7
# pad 8
# pad 9
class A:
    def run(x):
        return x + 1
