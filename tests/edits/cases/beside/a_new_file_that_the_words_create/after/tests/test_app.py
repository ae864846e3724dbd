import app


def test_name():
    assert app.app.name
