"""What the tests of the subcommands share: a check, an edit block, and the replies of a replayed model.

The suites add this folder to sys.path, since each runs as a script of its own.
"""
import sys


def chosen(names, parts):
    """The names that have one of these parts; all, if none is given. Ends the program if there is none: it would pass."""
    found = [name for name in names if not parts or any(part in name for part in parts)]
    return found or sys.exit("No test has " + " or ".join(parts) + " in its name.")


class Failure(AssertionError):
    pass


def check(condition, sentence):
    if not condition:
        raise Failure(sentence)


def block(path, old, new):
    return "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" % (path, old, new)


# The file a.c, and an ask that widens two of its variables.
TEXT = "".join("int %s;\n" % letter for letter in "abcdefgh")
WIDE = TEXT.replace("int b", "long b").replace("int g", "long g")


def edit(old, new, path="a.c"):
    return {"name": "edit", "arguments": {"path": path, "old_str": old, "new_str": new}}


def turn(text="", calls=(), expect=(), **more):
    return dict({"expect": list(expect), "reply": {
        "text": text, "tool_calls": list(calls), "usage": {"input": 1000, "output": 10}}}, **more)


READ = turn("I look first.", [{"name": "read_file", "arguments": {"path": "a.c"}}])
WIDER = [READ, turn("", [edit("int b;", "long b;"), edit("int g;", "long g;")]), turn("b and g are wider.")]
