"""Files as the editor has them, and editors that say something else of them."""
import json
import os
import pathlib

from cli_support import READ, TEXT, edit, turn
from case import FILES, ONE
from client import check


def unsaved_text_is_seen_and_kept(case):
    editor = case.editor([READ, turn("", [edit("int x;", "long x;")]), turn("x is wider.")], **FILES)
    path = str(case.root / "a.c")
    editor.buffers[path] = TEXT + "int x;\n"
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check(case.get() == TEXT + "long x;\n", case.get())
    writes = [p for m, p in editor.asked if m == "fs/write_text_file"]
    check([w["content"] for w in writes] == [TEXT + "long x;\n"], writes)


def without_unsaved_text_we_write_and_line_ends_stay(case):
    crlf = TEXT.replace("\n", "\r\n")[:-2]  # without the last line end
    case.put("a.c", crlf)
    editor = case.editor(ONE, **FILES)
    editor.turn("wider")
    check(case.get() == crlf.replace("int b", "long b"), repr(case.get()))
    check(not [m for m, _ in editor.asked if m == "fs/write_text_file"], "written through the editor")


def zed_writes_everything_and_is_read_again(case):
    editor = case.editor(ONE, name="Zed", **FILES)

    def write(params):  # formats on save
        pathlib.Path(params["path"]).write_text(params["content"] + "// formatted\n")
        return {}
    editor.answers["fs/write_text_file"] = write
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check("a formatter, perhaps" in editor.words() and case.get().endswith("// formatted\n"), editor.words())


def an_added_empty_line_is_told(case):  # codecompanion
    editor = case.editor([READ, turn("", [edit("int x;", "long x;")]), turn("x is wider.")], **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"

    def write(params):
        pathlib.Path(params["path"]).write_text(params["content"] + "\n")
        editor.buffers.clear()
        return None or {}
    editor.answers["fs/write_text_file"] = write
    editor.turn("wider")
    check("empty line" in editor.words(), editor.words())


def a_stub_that_reads_nothing_is_not_believed(case):
    editor = case.editor(ONE, **FILES)
    editor.answers["fs/read_text_file"] = lambda p: {"content": ""}
    editor.turn("wider")
    check(case.get() == TEXT.replace("int b", "long b"), case.get())


def an_empty_text_of_an_editor_that_reads_is_refused(case):
    case.put("b.c", TEXT)
    editor = case.editor([turn("", [{"name": "read_file", "arguments": {"path": "b.c"}}]), *ONE], **FILES)
    reads = editor.fs_read_text_file
    editor.answers["fs/read_text_file"] = lambda p: {"content": ""} if p["path"].endswith("a.c") else reads(p)
    editor.turn("wider")
    check(case.get() == TEXT and not editor.permissions(), case.get())
    told = [u for u in editor.updates("tool_call_update") if "empty text" in json.dumps(u)]
    check(told, editor.updates())
    for nothing in ({"content": ""}, {"content": None}, {"text": TEXT}):
        def empty(params):
            editor.answers["fs/read_text_file"] = lambda p: nothing
            return {"outcome": {"outcome": "selected", "optionId": "apply"}}
        editor = case.editor(ONE, **FILES)  # only at the end
        editor.answers["session/request_permission"] = empty
        editor.turn("wider")
        check(case.get() == TEXT and "save it first" in editor.words(), case.get() + editor.words())


def an_editor_that_falls_silent_has_its_file_left_alone(case):
    editor = case.editor(ONE, **FILES)

    def fall_silent(params):
        editor.answers["fs/read_text_file"] = lambda p: None
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(case.get() == TEXT and "save it first" in editor.words(), case.get() + editor.words())


def a_path_outside_of_the_folder_is_not_guessed(case):
    for path in ("/other/place/a.c", "file:///other/place/a.c", "~/place/a.c", "../place/a.c"):
        bad = turn("%s\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n" % path)
        editor = case.editor([bad] * 6)
        editor.turn("wider")
        check(case.get() == TEXT and not editor.permissions(), case.get())
        check("is outside the folder" in json.dumps(editor.updates()), editor.updates())


def a_folder_that_was_replaced_is_not_written(case):
    editor = case.editor(ONE)

    def replace(params):
        case.root.rename(case.root.parent / "moved")
        case.root.mkdir()
        case.put("a.c", TEXT)
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = replace
    editor.turn("wider")
    check(case.get() == TEXT and (case.root.parent / "moved/a.c").read_text() == TEXT, case.get())
    check("moved or replaced" in editor.words(), editor.words())


def a_refused_read_means_the_disk(case):
    def refuse(params):
        raise ValueError("not found")
    editor = case.editor(ONE, **FILES)
    editor.answers["fs/read_text_file"] = refuse
    editor.turn("wider")
    check(case.get() == TEXT.replace("int b", "long b"), case.get())


def a_new_file_does_not_replace_one_that_is_not_saved(case):
    for name in ("test", "zed"):
        editor = case.editor([turn("", [{"name": "write_file", "arguments": {"path": "n.c", "content": "int n;\n"}}]),
                              turn("Done.")], name=name, **FILES)
        editor.buffers[str(case.root / "n.c")] = "typed\n"
        editor.turn("make n.c")
        check(list(editor.buffers.values()) == ["typed\n"] and not (case.root / "n.c").exists(), editor.buffers)
        check("not saved yet" in editor.words(), editor.words())


def unsaved_text_keeps_its_line_ends(case):
    crlf = TEXT.replace("\n", "\r\n")
    case.put("a.c", crlf)
    editor = case.editor(ONE, **FILES)
    editor.buffers[str(case.root / "a.c")] = crlf + "int x;\r\n"
    editor.turn("wider")
    check(case.get() == crlf.replace("int b", "long b") + "int x;\r\n", repr(case.get()))


def line_ends_and_a_mark_that_the_editor_drops_are_told(case):
    for text, unsaved, words in ((TEXT.replace("\n", "\r\n"), TEXT + "int x;\n", "line ends"),
                                 ("\ufeff" + TEXT, TEXT + "int x;\n", "byte order mark")):
        case.put("a.c", text)
        editor = case.editor(ONE, **FILES)
        editor.buffers[str(case.root / "a.c")] = unsaved
        editor.turn("wider")
        check(words in editor.words(), editor.words())


def silence_on_a_modified_buffer(case):  # avante: E37
    editor = case.editor([READ, turn("", [edit("int x;", "long x;")]), turn("x is wider.")], **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"
    editor.answers["fs/write_text_file"] = lambda p: None
    check(editor.turn("wider") == "end_turn", "it ended otherwise")
    check("save it first" in editor.words() and case.get() == TEXT, editor.words())


def a_write_that_did_not_happen_is_not_called_one(case):
    for name, unsaved in (("zed", None), ("test", TEXT + "int x;\n")):
        case.put("a.c", TEXT)
        editor = case.editor(ONE, name=name, **FILES)
        if unsaved:
            editor.buffers[str(case.root / "a.c")] = unsaved
        editor.answers["fs/write_text_file"] = lambda p: {}
        check(editor.turn("wider") == "end_turn", "it ended otherwise")
        check("had not changed by then" in editor.words() and "formatter" not in editor.words(), editor.words())
        check(editor.updates("tool_call_update")[-1]["status"] == "failed", editor.updates("tool_call_update")[-1])


def a_write_that_was_cancelled_may_still_happen(case):
    editor = case.editor(ONE + [READ, turn("", [edit("int c;", "long c;")]), turn("c is wider.")], **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"

    def write(params):
        editor.notify("session/cancel", sessionId=editor.session)
        editor.until(lambda m: m.get("method") == "$/cancel_request")
        return editor.fs_write_text_file(params)
    for how, words in ((write, "cancelled, but a.c is written"), (lambda p: editor.notify(
            "session/cancel", sessionId=editor.session), "may still change")):
        editor.answers["fs/write_text_file"] = how
        check(editor.turn("wider") == "cancelled", "not cancelled")
        last = json.dumps(editor.updates("tool_call_update")[-1])
        check(words in last and "Nothing was changed" not in last, last)
        editor.buffers[str(case.root / "a.c")] = case.get() + "int y;\n"


def what_is_typed_while_another_file_is_written_stays(case):
    case.put("b.c", "int q;\nint r;\n")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}, {"name": "read_file", "arguments": {"path": "b.c"}}]),
        turn("", [edit("int b;", "long b;"), edit("int q;", "long q;", "b.c")]), turn("Both.")], **FILES)
    for name in ("a.c", "b.c"):
        editor.buffers[str(case.root / name)] = case.get(name) + "int x;\n"
    written = []

    def write(params):
        written.append(params["path"])
        for path in editor.buffers:
            if len(written) == 1 and path != params["path"]:
                editor.buffers[path] += "// typed\n"
        return editor.fs_write_text_file(params)
    editor.answers["fs/write_text_file"] = write
    editor.turn("wider")
    both = case.get() + case.get("b.c")
    check("int x;\n// typed\n" in both and "long b" in both and "long q" in both, both)


def two_names_of_one_file_are_not_written(case):
    os.link(case.root / "a.c", case.root / "l.c")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "a.c"}}, {"name": "read_file", "arguments": {"path": "l.c"}}]),
        turn("", [edit("int b;", "long b;"), edit("int g;", "long g;", "l.c")]), turn("Both.")], name="zed", **FILES)
    editor.turn("wider")
    check(case.get() == TEXT and "same file" in editor.words(), case.get() + editor.words())


def unsaved_text_that_is_no_longer_told_stops_a_write(case):
    editor = case.editor(ONE, **FILES)
    editor.buffers[str(case.root / "a.c")] = TEXT + "int x;\n"

    def fall_silent(params):
        editor.answers["fs/read_text_file"] = lambda p: None
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(case.get() == TEXT and "save it first" in editor.words(), case.get() + editor.words())


def silent_zed_is_given_no_text_to_replace_its_own(case):
    editor = case.editor(ONE, name="zed", **FILES)

    def fall_silent(params):
        editor.buffers[str(case.root / "a.c")] = "typed\n"
        editor.answers["fs/read_text_file"] = lambda p: None
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = fall_silent
    editor.turn("wider")
    check(list(editor.buffers.values()) == ["typed\n"], "what was typed is gone")
