"""Editors that misbehave when they are asked to apply an edit. Whatever they say, the server reports
what the text says, and a stale edit never leaves it. Each test is a function of the program's path."""
import json

from abuse import check, ends_well
from editor import Editor, REPLY, TEXT, WANTED


def a_correct_editor_applies_the_edit(program):
    editor = Editor(program)
    editor.applied_with(lambda e, edit: e.take(edit), "applied")
    check(editor.buffers["a.c"] == WANTED, "the text: " + editor.buffers["a.c"])
    ends_well(editor)


def an_edit_that_is_formatted_on_saving_is_applied_and_can_be_undone(program):
    """By a change of its own or one with the edit, and once more later; the lines around it, too."""
    before = "def f(a,b):\n    return a+b\n"
    layout = lambda text: text.replace("a,b", "a, b").replace("a-b", "a - b")
    reply = REPLY.split("\n")[0] + "\n<<<<<<< SEARCH\n    return a+b\n=======\n    return a-b\n>>>>>>> REPLACE\n"
    for first in True, False:
        editor = Editor(program, texts={"a.c": before})

        def save(e, edit):
            wanted = e.edited(edit["documentChanges"][0]["edits"], "a.c")
            if first:
                e.change("a.c", wanted)
            e.change("a.c", layout(wanted))
            e.notify("textDocument/didSave", {"textDocument": {"uri": e.uri("a.c")}})
            return {"applied": True}
        end = editor.applied_with(save, "applied", reply=reply)
        check(end["message"] == "Applied, and formatted.", end["message"])
        editor.change("a.c", layout(editor.buffers["a.c"]).replace(" - ", "  -  "))
        editor.on_apply = lambda e, edit: e.take(edit)
        check("result" in editor.command("bodkin.undo"), "it cannot be undone")
        editor.until("the undoing", lambda: editor.states[-1]["state"] == "discarded")
        check(editor.buffers["a.c"] == "def f(a, b):\n    return a+b\n", editor.buffers["a.c"])
        ends_well(editor)


def an_edit_of_which_a_part_comes_after_the_answer_is_not_called_formatted(program):
    """So Neovim 0.12 sends what it changes at a file's end."""
    editor = Editor(program)

    def in_parts(e, edit):
        e.change("a.c", WANTED.rstrip("\n"))
        return {"applied": True}
    editor.on_apply = in_parts
    check("result" in editor.command("bodkin.apply", proposalId=editor.propose()), "apply was refused")
    editor.until("the edit", lambda: editor.asked)
    editor.change("a.c", WANTED)
    check(editor.state("applied")["message"] == "Applied.", str(editor.states))
    ends_well(editor)


def applied_true_without_a_change_is_refused(program):
    editor = Editor(program)
    end = editor.applied_with(lambda e, edit: {"applied": True}, "refused")
    check("did not change" in end["message"], end["message"])
    # The proposal can still be taken.
    editor.on_apply = lambda e, edit: e.take(edit)
    editor.states.clear()
    check("result" in editor.command("bodkin.apply"), "it cannot be taken again")
    editor.state("applied")
    ends_well(editor)


def applied_false_after_it_was_applied_is_applied(program):
    editor = Editor(program)

    def lie(e, edit):
        e.take(edit)
        return {"applied": False, "failureReason": "no"}
    editor.applied_with(lie, "applied")
    ends_well(editor)


def an_edit_at_the_wrong_line_is_not_applied(program):
    editor = Editor(program)

    def wrong(e, edit):
        e.change("a.c", "int a;\nint b;\nlong b;\n")
        return {"applied": True}
    end = editor.applied_with(wrong, "stale", "refused", "partly", "unknown")
    check("Nothing was placed" not in end["message"], "claims what it cannot know: " + end["message"])
    ends_well(editor)


def an_edit_that_is_made_twice_is_noticed(program):
    """An insertion whose second copy looks as if it had been there: only the whole text tells."""
    editor = Editor(program)

    def twice(e, edit):
        e.take(edit)
        e.take(edit)
        return {"applied": True}
    reply = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nint b;\nint b2;\n>>>>>>> REPLACE\n"
    end = editor.applied_with(twice, "applied", "stale", "partly", "unknown", reply=reply)
    check(editor.buffers["a.c"].count("b2") == 2, "the test is wrong")
    check(end["message"] != "Applied.", end["message"])
    ends_well(editor)


def half_an_edit_is_partly_applied(program):
    editor = Editor(program, {"a.c": "a\nb\nc\nd\ne\n"})
    reply = ("a.c\n<<<<<<< SEARCH\na\n=======\nA\n>>>>>>> REPLACE\n"
             "<<<<<<< SEARCH\ne\n=======\nE\n>>>>>>> REPLACE\n")
    end = editor.applied_with(lambda e, edit: e.take(edit, 1), "partly", reply=reply)
    check("1 of 2" in end["message"], end["message"])
    ends_well(editor)


def one_of_two_files_is_partly_applied(program):
    editor = Editor(program, {"a.c": TEXT, "b.c": TEXT})

    def one(e, edit):
        return e.take({"documentChanges": edit["documentChanges"][:1]})
    editor.applied_with(one, "partly", reply=REPLY + REPLY.replace("a.c", "b.c"))
    ends_well(editor)


def an_editor_that_never_answers_is_reported_and_gets_no_second_edit(program):
    editor = Editor(program)
    end = editor.applied_with(lambda e, edit: None, "unknown")
    check("not answered" in end["message"], end["message"])
    # Two edits on the way could both be made.
    answer = editor.command("bodkin.apply")
    check("error" in answer, "a second edit was sent: " + str(answer))
    # The user says yes at last: the text tells.
    editor.states.clear()
    editor.send({"jsonrpc": "2.0", "id": editor.unanswered, "result": editor.take(editor.asked[0])})
    editor.state("applied")
    check(len(editor.asked) == 1, "asked twice")
    ends_well(editor)


def typing_between_the_request_and_the_answer_never_mixes(program):
    editor = Editor(program)

    def typed(e, edit):
        e.change("a.c", "int a;\nint bb;\nint c;\n")
        return {"applied": True}
    editor.applied_with(typed, "stale")
    ends_well(editor)


def typing_elsewhere_between_the_request_and_the_edit_is_still_applied(program):
    editor = Editor(program)

    def typed(e, edit):
        e.change("a.c", "int a;\nint b;\nint c;\nint d;\n")
        return e.take(edit)
    editor.applied_with(typed, "applied")
    ends_well(editor)


def the_block_that_a_change_stands_in_is_part_of_it(program):
    text = "int f(int r) {\n  return 3 * r;\n}\nint g;\n"
    editor = Editor(program, texts={"a.c": text})
    reply = "a.c\n<<<<<<< SEARCH\nint f(int r) {\n  return 3 * r;\n=======\nint f(int r) {\n  return 4 * r;\n>>>>>>> REPLACE\n"
    proposal = editor.propose(reply)
    for typed in (text.replace("int f(int r) {\n", ""), text.replace("int f(int r)", "int h(int s)")):
        editor.change("a.c", typed)
        editor.states.clear()
        editor.command("bodkin.apply", proposalId=proposal)
        message = editor.state("stale")["message"]
        check("the text around line" in message, message)
        check(not editor.asked, "an edit was sent")
    editor.states.clear()
    editor.command("bodkin.apply", proposalId=proposal, hunks=[0])
    editor.state("applied")
    check(editor.buffers["a.c"] == typed.replace("3", "4"), editor.buffers["a.c"])
    second = editor.propose(reply.replace("int f(int r)", "int h(int s)").replace("4", "5").replace("3", "4"))
    editor.change("a.c", editor.buffers["a.c"].replace("int g;", "int gg;"))
    editor.states.clear()
    editor.command("bodkin.apply", proposalId=second)
    editor.state("applied", of=second)
    ends_well(editor)


def a_typed_line_above_before_a_blind_editor_applies_is_not_applied(program):
    """The editor checks no version and makes the edit at lines that have moved."""
    editor = Editor(program)

    def typed(e, edit):
        e.change("a.c", "// new\n" + TEXT)
        return e.take(edit)
    editor.applied_with(typed, "stale", "refused", "unknown")
    ends_well(editor)


def place(line, character=0):
    return {"line": line, "character": character}


def changes_that_are_not_understood_stop_every_edit_until_all_of_the_text_comes(program):
    """A change whose place is unknown moves lines that nobody knows of."""
    above = {"range": {"start": place(0), "end": place(0)}, "text": "int z;\n"}
    broken = [
        [above, {"range": {"start": place(99), "end": place(99)}, "text": "x"}],  # half of it would be made
        [{"range": {"start": place(2), "end": place(1)}, "text": "x"}],
        [{"range": {"start": place(-1), "end": place(0)}, "text": "x\n"}],
        [{"range": {"start": {"line": 1.5, "character": 0}, "end": place(2)}, "text": "x\n"}],
        [{"range": {"start": {"line": "1", "character": 0}, "end": place(2)}, "text": "x\n"}],
        [{"range": {"start": {"character": 0}, "end": place(2)}, "text": "x\n"}],
        [{"range": {"start": place(10**30), "end": place(10**30)}, "text": "x\n"}],
        [{"range": {"start": place(0)}, "text": "x\n"}],
        [{"range": "0:0", "text": "x\n"}],
        [{"range": above["range"]}], [{"text": 7}], [7], [None], 3, "all", None, {"text": "x\n"},
    ]
    for changes in broken:
        editor = Editor(program)
        proposal = editor.propose()
        editor.notify("textDocument/didChange", {"textDocument": {"uri": editor.uri("a.c"), "version": 2},
                                                 "contentChanges": changes})
        editor.command("bodkin.apply", proposalId=proposal)
        end = editor.state("stale", "refused")
        check(not editor.asked, "an edit was sent after %s: %s" % (changes, end))
        check("error" in editor.command("bodkin.applyReply", text=REPLY), "an edit was placed after %s" % changes)
        editor.change("a.c", "int y;\n" + TEXT)
        again = editor.propose()
        editor.command("bodkin.apply", proposalId=again)
        editor.state("applied", of=again)
        check(editor.buffers["a.c"] == "int y;\n" + WANTED, editor.buffers["a.c"])
        ends_well(editor)


def text_that_is_not_utf8_is_not_edited_and_its_lines_stay_known(program):
    """Neovim sends such bytes as they are; an answer of no request would be a message to the user."""
    def raw(editor, method, what, **more):
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": {"textDocument": {
            "uri": editor.uri("a.c"), "version": 2, **more}, "contentChanges": [{"text": "@"}]}})
        editor.send(body.replace("@", what).encode("latin-1"))

    for opens in (True, False):
        editor = Editor(program, texts={} if opens else None)
        text = "// \xff\\n" + TEXT.replace("\n", "\\n")
        if opens:
            raw(editor, "textDocument/didOpen", text, languageId="c", text="@")
        else:
            raw(editor, "textDocument/didChange", text)
        answer = editor.command("bodkin.applyReply", text=REPLY)
        check("error" in answer, str(answer))
        check(not [m for m in editor.heard if m.get("id", 0) is None], "an answer of no request")
        editor.change("a.c", TEXT) if not opens else editor.open("a.c", TEXT, 3)
        editor.applied_with(lambda editor, edit: editor.take(edit), "applied")
        check(editor.buffers["a.c"] == WANTED, editor.buffers["a.c"])
        ends_well(editor)


def null_versions_are_survived(program):
    editor = Editor(program)
    editor.change("a.c", "// x\n" + TEXT, version=None)
    editor.change("a.c", "// y\n" + TEXT, version=None)

    def null(e, edit):
        e.change("a.c", e.edited(edit["documentChanges"][0]["edits"], "a.c"), version=None)
        return {"applied": True}
    editor.applied_with(null, "applied")
    check(editor.buffers["a.c"] == "// y\n" + WANTED, editor.buffers["a.c"])
    ends_well(editor)


def tests():
    return [(name.replace("_", " "), test) for name, test in globals().items()
            if callable(test) and getattr(test, "__module__", "") == __name__ and name not in ("place", "tests")]
