"""What is told of a proposal: to the user its diffs, to the model what became of it."""
import pathlib

from cli_support import READ, TEXT, WIDER, edit, turn
from case import FILES, ONE
from client import check

NEXT = "and now?"


def after(case, turns, expect, absent=(), answer=None, **more):
    """A turn with these, and a next one, whose request has `expect` and not `absent`."""
    case.put("a.c", TEXT)
    editor = case.editor(turns + [turn("Seen.", expect=[*expect, NEXT], absent=list(absent))], **more)
    if answer:
        editor.answers["session/request_permission"] = answer
    return editor


def choose(option):
    return lambda p: {"outcome": {"outcome": "selected", "optionId": option}}


def the_model_is_told_what_became_of_its_edits(case):
    for turns, answer, expect in ((ONE, "apply", "Your last edits were applied: a.c."),
                                  (ONE, "discard", "Your last edits were not applied: a.c.")):
        editor = after(case, turns, [expect], answer=choose(answer))
        editor.turn("wider")
        editor.turn(NEXT)
        check(editor.words().endswith("Seen."), editor.words())
        check("Your last edits" not in editor.words(), "the user is told what is for the model")
        # It stays in the conversation, and is not said again.
        again = case.editor([turn("Again.", expect=[expect])], start=False).start()
        again.call("session/resume", sessionId=editor.session, cwd=str(case.root), mcpServers=[])
        again.session = editor.session
        again.turn("still?")
        check(again.words().endswith("Again."), again.words())


def the_model_is_told_of_a_part(case):
    editor = after(case, WIDER, ["Your last edits were applied in part. Not applied in a.c", "`long b;`"],
                   elicitation={"form": {}})
    editor.answers["elicitation/create"] = lambda p: {"action": "accept", "content": {
        "hunks": [p["requestedSchema"]["properties"]["hunks"]["default"][1]]}}
    editor.turn("wider")
    editor.turn(NEXT)
    check(editor.words().endswith("Seen."), editor.words())


def the_model_is_told_that_a_file_is_not_as_it_wrote_it(case):
    def write(params):  # formats on save
        pathlib.Path(params["path"]).write_text(params["content"] + "// formatted\n")
        return {}
    editor = after(case, ONE, ["the editor also changed a.c", "Read these files again"], name="Zed", **FILES)
    editor.answers["fs/write_text_file"] = write
    editor.turn("wider")
    editor.turn(NEXT)
    check(editor.words().endswith("Seen."), editor.words())


def the_model_is_told_of_an_undo(case):
    editor = after(case, ONE, ["Your last edits were applied", "The user has undone edits: a.c."])
    editor.turn("wider")
    editor.turn("/undo")
    check(case.get() == TEXT, editor.words())
    editor.turn(NEXT)
    check(editor.words().endswith("Seen."), editor.words())


def the_model_is_told_after_a_restart(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = choose("discard")
    editor.turn("wider")
    check(editor.end() == 0, "exit code")
    again = case.editor([turn("Again.", expect=["Your last edits were not applied: a.c."])], start=False).start()
    again.call("session/resume", sessionId=editor.session, cwd=str(case.root), mcpServers=[])
    again.session = editor.session
    again.turn(NEXT)
    check(again.words().endswith("Again."), again.words())


def a_refusal_in_the_editors_words_is_a_sentence(case):
    def refuse(params):
        raise ValueError("cannot draw")
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = refuse
    editor.turn("wider")
    check("cannot draw. Nothing was changed." in editor.words(), editor.words())


def diffs_of(editor):
    return [each for each in editor.permissions()[0]["toolCall"]["content"] if each["type"] == "diff"]


def distant_hunks_of_a_long_file_are_both_shown(case):
    text = "".join("int line_%06d;\n" % i for i in range(40_000))
    case.put("a.c", text)
    editor = case.editor([READ, turn("", [edit("int line_000003;", "long line_3;"), edit("int line_039990;", "long line_39990;")]),
                          turn("Done.")])
    editor.turn("wider")
    diffs = diffs_of(editor)
    check(len(diffs) == 2 and all(d["oldText"] != d["newText"] for d in diffs), diffs)
    check("long line_3;" in diffs[0]["newText"] and "long line_39990;" in diffs[1]["newText"], diffs)
    for diff in diffs:
        check(diff["oldText"] in text and diff["newText"] in case.get(), diff)


def a_hunk_that_is_too_long_is_named(case):
    editor = case.editor([turn("", [{"name": "write_file", "arguments": {"path": "n.c", "content": "int n;\n" * 40_000}}]), turn("Done.")])
    editor.turn("make n.c")
    content = editor.permissions()[0]["toolCall"]["content"]
    words = "".join(each["content"]["text"] for each in content if each["type"] == "content")
    check("Too long to be shown: n.c at line 1 (0 bytes become 280000)" in words, words)


def a_permission_has_a_bounded_size(case):
    names = ["f%02d.c" % i for i in range(40)]
    for name in names:
        case.put(name, "int a_%s;\n" % name[:3] + "// filler\n" * 15_000)
    calls = [{"name": "read_file", "arguments": {"path": name, "start_line": 1, "end_line": 2}} for name in names]
    edits = [edit("int a_%s;" % name[:3], "long a_%s;" % name[:3], name) for name in names]
    editor = case.editor([turn("", calls), turn("", edits), turn("Done.")])
    editor.turn("wider")
    diffs = diffs_of(editor)
    check(len(diffs) == 40 and all(d["oldText"] != d["newText"] for d in diffs), len(diffs))
    check(sum(len(d["oldText"]) + len(d["newText"]) for d in diffs) < 1_100_000, "too much")


def a_step_names_the_line_of_its_edit(case):
    editor = case.editor([READ, turn("", [edit("int g;", "long g;")]), turn("Done.")])
    editor.turn("wider")
    steps = [u for u in editor.updates() if u.get("rawInput", {}).get("new_str") == "long g;"]
    check(steps and steps[0]["locations"] == [{"path": str(case.root / "a.c"), "line": 7}], steps)
