"""Sessions for run.py: what one keeps when it is gone on with, and how its folder may be spelled."""
import json
import os

from cli_support import TEXT, turn
from case import FILES, ONE
from client import check

B = TEXT.replace("int b", "long b")
BLOCK = "a.c\n<<<<<<< SEARCH\nint b;\n=======\nlong b;\n>>>>>>> REPLACE\n"


def gone_on_with(case, method, session, turns, cwd=None, **more):
    editor = case.editor(turns, start=False, **more).start(**more)
    result = editor.call(method, sessionId=session, cwd=str(cwd or case.root), mcpServers=[])
    editor.session = session
    return editor, result


def a_session_keeps_its_mode(case):
    for method in ("session/load", "session/resume"):
        for mode, setting in (("plan", "auto"), ("confirm", "auto"), ("auto", "confirm")):
            case.put("a.c", TEXT)
            editor = case.editor([turn("Hm.")], settings={"agent.mode": setting})
            editor.call("session/set_mode", sessionId=editor.session, modeId=mode)
            editor.turn("hello")
            check(editor.end() == 0, "exit code")
            editor, result = gone_on_with(case, method, editor.session, ONE, settings={"agent.mode": setting})
            check(result["modes"]["currentModeId"] == mode, (method, mode, result["modes"]))
            check(result["configOptions"][0]["currentValue"] == mode, result["configOptions"])
            editor.turn("wider")
            check(len(editor.permissions()) == (mode == "confirm"), (mode, editor.permissions()))
            check((case.get() == TEXT) == (mode == "plan"), (mode, case.get()))


def a_mode_that_was_chosen_after_the_last_turn_is_kept(case):
    editor = case.editor([turn("Hm.")], settings={"agent.mode": "auto"})
    editor.turn("hello")
    editor.call("session/set_mode", sessionId=editor.session, modeId="plan")
    check(editor.end() == 0, "exit code")
    _, result = gone_on_with(case, "session/load", editor.session, [], settings={"agent.mode": "auto"})
    check(result["modes"]["currentModeId"] == "plan", result["modes"])


def a_session_goes_on_in_the_folder_that_was_moved(case):
    folder, moved = case.home / "project", case.home / "moved"
    folder.mkdir()
    editor = case.editor([turn("Hm.")], start=False).start()
    editor.new(folder)
    editor.turn("hello")
    check(editor.end() == 0, "exit code")
    folder.rename(moved)
    again, _ = gone_on_with(case, "session/load", editor.session, [turn("Again.", expect=["hello"])], cwd=moved)
    again.turn("and now?")
    check(again.words().endswith("Again."), again.words())
    check(len(again.call("session/list", cwd=str(moved))["sessions"]) == 1, "not listed")


def replies_without_a_call_between_them_are_apart(case):
    block = "a.c\n<<<<<<< SEARCH\nint z;\n=======\nlong z;\n>>>>>>> REPLACE\n"
    editor = case.editor([turn("I widen z." + "\n\n" + block), turn("There is no z.")])
    editor.turn("widen z")
    said = editor.words()
    check("I widen z." in said and "There is no z." in said, said)
    for words in ("There is no z.", "The edit was refused"):
        before = said[:said.index(words)]
        check(before.endswith("\n\n"), said)


def a_pasted_reply_is_a_turn_of_the_session(case):
    editor = case.editor([])
    editor.turn("/apply " + BLOCK)
    check(case.get() == B, editor.words())
    check(editor.end() == 0, "exit code")
    again = case.editor([], start=False).start()
    listed = again.call("session/list", cwd=str(case.root))["sessions"]
    check([each["sessionId"] for each in listed] == [editor.session] and listed[0]["title"], listed)
    again, _ = gone_on_with(case, "session/load", editor.session, [
        turn("Seen.", expect=["The user has applied edits from another reply: a.c."], absent=["Your last edits"])])
    check(again.words("user_message_chunk").startswith("/apply a.c"), again.words("user_message_chunk"))
    diffs = [c for u in again.updates("tool_call") for c in u.get("content", []) if c["type"] == "diff"]
    check(len(diffs) == 1 and "long b;" in diffs[0]["newText"], diffs)
    again.turn("and now?")
    check(again.words().endswith("Seen."), again.words())
    # Another process goes on with it: nothing takes the place of what there was.
    again.turn("/apply " + BLOCK.replace("int b;", "int c;").replace("long b;", "long c;"))
    check(case.get() == B.replace("int c", "long c"), again.words())
    check(again.end() == 0, "exit code")
    last, _ = gone_on_with(case, "session/load", editor.session, [])
    check(last.words("user_message_chunk").count("/apply") == 2, last.words("user_message_chunk"))
    for left in (B, TEXT):
        last.turn("/undo")
        check(case.get() == left, last.words())


def without_a_history_undo_says_why(case):
    editor = case.editor(ONE, settings={"history.retentionDays": 0})
    editor.turn("wider")
    check(case.get() == B, editor.words())
    editor.turn("/undo")
    check("No history is kept (bodkin.history.retentionDays)" in editor.words(), editor.words())


def a_folder_that_is_a_link_is_called_as_the_editor_calls_it(case):
    alias = case.home / "alias"
    os.symlink(case.root, alias)
    for name, cwd in (("test", alias), ("zed", alias), ("test", str(alias) + "/../alias/")):
        case.put("a.c", TEXT)
        editor = case.editor(ONE, start=False, name=name, **FILES)
        editor.start(name, **FILES)
        editor.new(cwd)
        editor.buffers[str(alias / "a.c")] = TEXT + "int unsaved;\n"
        editor.turn("wider")
        paths = {p["path"] for m, p in editor.asked if m.startswith("fs/")}
        check(paths == {str(alias / "a.c")}, paths)
        check(case.get() == B + "int unsaved;\n" and editor.buffers == {}, case.get())
        shown = {place["path"] for update in editor.updates() for place in update.get("locations", [])}
        diffs = {c["path"] for c in editor.permissions()[0]["toolCall"]["content"] if c["type"] == "diff"}
        check(shown == diffs == {str(alias / "a.c")}, (shown, diffs))
    listed = editor.call("session/list", cwd=str(alias))["sessions"]
    check(listed and {each["cwd"] for each in listed} == {str(alias)}, listed)
    check(len(editor.call("session/list", cwd=str(case.root))["sessions"]) == len(listed), "not the same folder")
    again, _ = gone_on_with(case, "session/load", editor.session, [], cwd=alias)
    check(str(case.root) not in json.dumps(again.updates()), "replayed under another name")


def files_are_attached_however_the_folder_is_spelled(case):
    alias = case.home / "alias"
    os.symlink(case.root, alias)
    for cwd in (alias, case.root):
        for uri in (alias, case.root):
            for block in ("Sharing the following file as context: %s/a.c\nLook." % uri,
                          {"type": "resource_link", "uri": "file://%s/a.c" % uri, "name": "a.c"},
                          {"type": "resource_link", "uri": "FILE://%s/a.c" % uri, "name": "a.c"}):
                editor = case.editor([turn("Seen.", expect=["int e;"])], start=False).start()
                editor.new(cwd)
                editor.turn("Look", block)
                check(editor.words() == "Seen.", (str(cwd), block, editor.words()))


def a_private_text_is_not_shown_under_any_name(case):
    alias = case.home / "alias"
    os.symlink(case.root, alias)
    os.symlink(case.root / ".env", case.home / "plain.txt")
    case.put(".env", "A=1\n")
    case.put(".bodkinignore", "hidden.c\n")
    case.put("hidden.c", "int h;\n")
    for cwd in (case.root, alias):
        for uri in ("file://%s/.env" % alias, "file://%s/hidden.c" % alias, "FILE://%s/.env" % case.root,
                    "File://localhost%s/.env" % case.root, "%s/.env" % case.root, "%s/hidden.c" % alias, ".env", "./.env",
                    "file://%s/%%2Eenv" % case.root, "file:///elsewhere/.env", "vscode-remote://ssh/x/.env",
                    "file://%s/plain.txt" % case.home, "/elsewhere/.ssh/id_rsa"):
            editor = case.editor([turn("Seen.", absent=["OF_PRIVATE"])], start=False).start()
            editor.new(cwd)
            editor.turn("Look", {"type": "resource", "resource": {"uri": uri, "text": "OF_PRIVATE=1\n"}})
            check(editor.words().endswith("Seen."), (str(cwd), uri, editor.words()))
            editor.kill()


def folders_that_are_not_served(case):
    editor = case.editor([], start=False).start()
    for cwd in ("/", "//", str(case.root) + "\0x"):
        error = editor.result(editor.request("session/new", cwd=cwd, mcpServers=[]), error=True)
        check(error["code"] == -32602, (cwd, error))


def an_id_that_is_in_use_is_not_answered_twice(case):
    editor = case.editor(ONE)
    editor.answers["session/request_permission"] = lambda p: None
    number = editor.prompt("wider")
    editor.until(lambda m: m.get("method") == "session/request_permission")
    editor.send({"jsonrpc": "2.0", "id": number, "method": "session/list", "params": {}})
    refused = editor.until(lambda m: "error" in m)
    check(refused["id"] is None and "still open" in refused["error"]["message"], refused)
    editor.notify("session/cancel", sessionId=editor.session)
    check(editor.result(number)["stopReason"] == "cancelled", "another answer")
