def run(trace):
    if trace:
        write('x')
    return 1
