"""What the tests of `bodkin ask` share: a model's turns."""

TEXT = "".join("int %s;\n" % letter for letter in "abcdefgh")


def check(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def edit(old, new, path="a.c"):
    return {"name": "edit", "arguments": {"path": path, "old_str": old, "new_str": new}}


def turn(text="", calls=(), expect=(), **more):
    return dict({"expect": list(expect), "reply": {
        "text": text, "tool_calls": list(calls), "usage": {"input": 1000, "output": 10}}}, **more)


READ = turn("I look first.", [{"name": "read_file", "arguments": {"path": "a.c"}}])
WIDER = [READ, turn("", [edit("int b;", "long b;"), edit("int g;", "long g;")]), turn("b and g are wider.")]
WIDE = TEXT.replace("int b", "long b").replace("int g", "long g")
