def f():
    """Doc."""
    return a
