def test():
    assert text == "hello\n"
    assert code == 0
