"""What became of what was written: whatever the editor answers, whoever else writes, however it ends."""
import json
import pathlib
import select
import subprocess

from cli_support import READ, TEXT, WIDER, edit, turn
from case import FILES, ONE
from client import check, environment_of

B = TEXT.replace("int b", "long b")
NEXT = "and now?"


def last_update(editor):
    return editor.updates("tool_call_update")[-1]


def replacing(editor, answers, change=lambda text: text):
    """The editor writes what `change` makes of the text, and then does what `answers` does."""
    def write(params):
        path = pathlib.Path(params["path"])
        editor.buffers.pop(str(path), None)
        path.write_bytes(change(params["content"]).encode())
        return answers()
    editor.answers["fs/write_text_file"] = write


def fails():
    raise ValueError("format on save failed")


def never():
    return None


def succeeds():
    return {}


def a_write_that_fails_after_it_was_made_is_one(case):
    for name, answers, words in (("zed", fails, "reported an error (format on save failed), but a.c is written"),
                                 ("avante", never, "has not answered, but a.c is written")):
        case.put("a.c", TEXT)
        editor = case.editor(ONE + [turn("Seen.", expect=["Your last edits were applied: a.c.", NEXT])], name=name, **FILES)
        if name == "avante":  # which has to be asked, because of what is not saved
            editor.buffers[str(case.root / "a.c")] = TEXT + "int u;\n"
        replacing(editor, answers)
        check(editor.turn("wider") == "end_turn", "it ended otherwise")
        check(words in editor.words() and "Not applied" not in editor.words(), editor.words())
        check(last_update(editor)["status"] == "completed", last_update(editor))
        editor.turn(NEXT)
        check(editor.words().endswith("Seen."), editor.words())
        editor.answers.clear()
        editor.turn("/undo")
        check("long b" not in case.get(), editor.words())


def what_was_restored_of_an_interrupted_change_is_said(case):
    names = ["f%02d.c" % i for i in range(40)]
    blocks = "".join("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % name for name in names)
    for _ in range(200):  # until one is killed in the middle
        for name in names:
            case.put(name, TEXT)
        process = subprocess.Popen([case.program, "apply"], cwd=case.root, env=environment_of(case.home), stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(blocks.encode())
        process.stdin.close()
        while process.poll() is None and "long" not in case.get(names[0]):
            pass
        process.kill()
        process.wait()
        if len({case.get(name) for name in names}) == 2:
            break
    else:
        raise AssertionError("none was killed in the middle")
    editor = case.editor([turn("They are ints.")])
    editor.turn("What is b?")
    check("An earlier change was interrupted: " in editor.words() and "was restored" in editor.words(), editor.words())
    check({case.get(name) for name in names} == {TEXT}, "half of the files are changed")


def the_words_of_an_editors_error_are_one_plain_line(case):
    def says():
        raise ValueError("no\x1b[2J\n[click](command:evil) me")
    editor = case.editor(ONE, name="zed", **FILES)
    editor.answers["fs/write_text_file"] = lambda params: says()
    editor.turn("wider")
    check("\x1b" not in editor.words() and "](command" not in editor.words() and "no^[" in editor.words(), repr(editor.words()))


def a_failed_write_that_left_the_edit_and_more_is_one(case):
    editor = case.editor(ONE, name="zed", **FILES)
    replacing(editor, fails, lambda text: text + "// half formatted\n")
    editor.turn("wider")
    check("an error (format on save failed), but a.c is written; the editor also changed a.c" in editor.words(), editor.words())
    editor.answers.clear()
    editor.turn("/undo")
    check(case.get() == TEXT + "// half formatted\n", editor.words())


def what_an_editor_made_of_a_file_is_told_and_not_called_done(case):
    """It says that it has written the edit, or that it could not; the file has something else. An edit before it can still
    be undone."""
    for answers in (succeeds, fails):
        for change, words in ((lambda text: "", "a.c is empty; check it"),
                              (lambda text: "".join(sorted(text.splitlines(True))), "a.c has neither its old nor its new text; check it"),
                              (lambda text: TEXT.replace("int c", "int z"), "a.c has neither its old nor its new text; check it"),
                              (None, "a.c is gone; check it")):
            case.put("a.c", TEXT.replace("int e", "char e"))
            before = [READ, turn("", [edit("char e;", "int e;")]), turn("e is.")]
            editor = case.editor(before + ONE + [turn("Seen.", expect=["Read these files again", NEXT])], name="zed", **FILES)
            editor.turn("first")
            check(case.get() == TEXT, editor.words())

            def write(params, change=change, answers=answers):
                path = pathlib.Path(params["path"])
                path.write_text(change(params["content"])) if change else path.unlink()
                return answers()
            editor.answers["fs/write_text_file"] = write
            editor.turn("wider")
            check(words in editor.words() and "Not applied as proposed" in editor.words(), editor.words())
            check(last_update(editor)["status"] == "failed", last_update(editor))
            editor.answers.clear()
            editor.turn(NEXT)
            check(editor.words().endswith("Seen."), editor.words())
            case.put("a.c", TEXT)
            editor.turn("/undo")
            check(case.get() == TEXT.replace("int e", "char e"), editor.words())


def an_editor_that_keeps_a_part_of_the_edit_is_told(case):
    """It cuts the text off, or brings the old lines back: what is left of the edit is not called a formatter's work."""
    for keeps in (lambda text: text[:text.index("int d")], lambda text: text.replace("long g", "int g")):
        case.put("a.c", TEXT)
        editor = case.editor(WIDER, name="zed", **FILES)

        def write(params, keeps=keeps):
            pathlib.Path(params["path"]).write_text(keeps(params["content"]))
            return {}
        editor.answers["fs/write_text_file"] = write
        editor.turn("wider")
        check("a.c has only 1 of the 2 changes as they were proposed; check it" in editor.words(), editor.words())
        check("formatter" not in editor.words(), editor.words())


def what_an_editor_writes_after_its_answer_can_be_undone(case):
    for answers, words in ((succeeds, "the editor reported writing a.c, but a.c had not changed by then"),
                           (fails, "the editor refused to write a.c: format on save failed")):
        case.put("a.c", TEXT)
        editor = case.editor(ONE, name="zed", **FILES)
        wanted = []
        editor.answers["fs/write_text_file"] = lambda params: (wanted.append(params["content"]), answers())[1]
        editor.turn("wider")
        check("Not applied, as far as bodkin knows: " + words in editor.words(), editor.words())
        check(last_update(editor)["status"] == "failed" and case.get() == TEXT, last_update(editor))
        case.put("a.c", wanted[0])
        editor.answers.clear()
        editor.turn("/undo")
        check(case.get() == TEXT, editor.words())


def a_failed_write_that_left_the_file_is_none(case):
    editor = case.editor(ONE, name="zed", **FILES)
    editor.answers["fs/write_text_file"] = lambda p: fails()
    editor.turn("wider")
    check("the editor refused to write a.c: format on save failed" in editor.words(), editor.words())
    check(last_update(editor)["status"] == "failed" and case.get() == TEXT, last_update(editor))


def a_cancelled_write_that_was_made_can_be_undone(case):
    editor = case.editor(ONE, name="zed", **FILES)

    def write(params):
        editor.fs_write_text_file(params)
        editor.notify("session/cancel", sessionId=editor.session)
        return None
    editor.answers["fs/write_text_file"] = write
    check(editor.turn("wider") == "cancelled", "not cancelled")
    check("cancelled, but a.c is written" in json.dumps(last_update(editor)), last_update(editor))
    check(last_update(editor)["status"] == "completed" and case.get() == B, last_update(editor))
    editor.answers.clear()
    editor.turn("/undo")
    check(case.get() == TEXT, editor.words())


def what_editors_do_to_line_ends_and_marks_is_told(case):
    mixed = TEXT.replace("int a;\n", "int a;\r\n")
    crlf = TEXT.replace("\n", "\r\n")
    for before, spoil, words in (
            (TEXT, lambda t: t.rstrip("\n"), "removed the last line end"),
            (TEXT.rstrip("\n"), lambda t: t + "\n", "added the last line end"),
            (TEXT, lambda t: t.replace("\n", "\r\n"), "changed the line ends from LF to CRLF"),
            (crlf, lambda t: t, "changed the line ends from CRLF to LF"),
            (mixed, lambda t: t.replace("\n", "\r\n"), "changed the line ends from mixed to CRLF"),
            (TEXT, lambda t: "\ufeff" + t, "added a byte order mark"),
            (crlf, lambda t: t.replace("\n", "\r\n"), "")):
        case.put("a.c", before)
        told = ["a.c: the editor has " + words, NEXT] if words else [NEXT]
        editor = case.editor(ONE + [turn("Seen.", expect=told)], name="zed", **FILES)
        replacing(editor, succeeds, spoil)
        editor.turn("wider")
        check("long b" in case.get() and words in editor.words(), (words, editor.words()))
        check(words or "the editor" not in editor.words(), editor.words())
        editor.turn(NEXT)
        check(editor.words().endswith("Seen."), editor.words())


def nobody_else_writes_between_placing_and_the_editors_write(case):
    editor = case.editor(ONE, name="zed", **FILES)
    greeting = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"name": "edit", "arguments": {"path": "a.c", "old_str": "int g;", "new_str": "long g;"}}
    other = subprocess.Popen([case.program, "mcp"], cwd=case.root, env=environment_of(case.home), stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    early = []

    def write(params):
        for number, method, its in ((1, "initialize", greeting), (2, "tools/call", call)):
            other.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": its}).encode() + b"\n")
        other.stdin.flush()
        other.stdout.readline()  # it is greeted
        early.extend(select.select([other.stdout], [], [], 1)[0])  # long enough for an answer that must not come
        return editor.fs_write_text_file(params)
    editor.answers["fs/write_text_file"] = write
    editor.turn("wider")
    said = json.loads(other.stdout.readline())["result"]["content"][0]["text"]
    other.stdin.close()
    other.wait(timeout=10)
    other.stdout.close()
    check(not early and said.startswith("applied"), (early, said))
    check(case.get() == B.replace("int g", "long g"), case.get())


def an_answer_means_that_the_edit_can_be_undone(case):
    editor = case.editor(ONE)
    editor.turn("wider")
    editor.child.kill()
    editor.child.wait()
    check(case.get() == B, case.get())
    again = case.editor([])
    again.turn("/undo")
    check(case.get() == TEXT, again.words())


def text_that_came_unsaved_is_not_written_below(case):
    attached = {"type": "resource", "resource": {"uri": (case.root / "a.c").as_uri(), "text": TEXT + "int unsaved;\n"}}
    editor = case.editor(ONE)
    editor.turn("wider", attached)
    check(case.get() == TEXT and "a.c has unsaved changes in the editor; save it first" in editor.words(), editor.words())
    # It is saved before the edit is accepted.
    editor = case.editor(ONE)

    def save(params):
        case.put("a.c", TEXT + "int unsaved;\n")
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = save
    editor.turn("wider", attached)
    check(case.get() == B + "int unsaved;\n", editor.words())


def a_text_of_an_editor_that_is_far_too_large_is_refused(case):
    editor = case.editor([READ, turn("Seen.", expect=["a.c cannot be read: the editor's text of it is larger than 32 MB."])], **FILES)
    editor.answers["fs/read_text_file"] = lambda params: {"content": "x" * 60_000_000}
    editor.turn("wider")
    check(editor.words().endswith("Seen.") and case.get() == TEXT, editor.words())


def an_edit_is_asked_about_once(case):
    rule = {"agent.permissions": {"edit": "ask"}}
    editor = case.editor(ONE, settings=rule)
    editor.turn("wider")
    check(len(editor.permissions()) == 1 and case.get() == B, editor.permissions())
    # Where a proposal does not wait, the rule asks.
    case.put("a.c", TEXT)
    editor = case.editor(ONE, settings={**rule, "agent.mode": "auto"})
    editor.turn("wider")
    check(len(editor.permissions()) == 1 and case.get() == B, editor.permissions())


def an_editor_that_does_not_read_is_given_up(case):
    case.settings([])
    child = subprocess.Popen([case.program, "acp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=environment_of(case.home))
    line = json.dumps({"jsonrpc": "2.0", "id": "x" * 1_000_000, "method": "no/such"}).encode() + b"\n"
    try:
        for number in range(80):
            child.stdin.write(line.replace(b"xx", b"%02d" % number, 1))
        child.stdin.flush()
    except BrokenPipeError:
        pass  # it has ended already
    check(child.wait(timeout=30) == 1, child.returncode)
    check(b"The editor has stopped reading; shutting down." in child.stderr.read(), "it does not say why")
    for pipe in (child.stdout, child.stderr):
        pipe.close()


def a_new_file_that_is_only_in_the_editor_is_said_to_be_left_out(case):
    editor = case.editor([turn("Seen.", expect=["new.c"])], **FILES)
    editor.buffers[str(case.root / "new.c")] = "int n;\n"
    editor.turn("Look at", {"type": "resource_link", "uri": (case.root / "new.c").as_uri(), "name": "new.c"})
    check("new.c is not on the disk" in editor.words() and editor.words().endswith("Seen."), editor.words())
