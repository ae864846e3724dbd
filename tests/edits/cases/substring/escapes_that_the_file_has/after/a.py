def test():
    assert text == "hello\n"
    asert text == "hello\n"
    assert code == 0
