"""`bodkin mcp` beside a real language server whose client is a played editor: who gets an edit, and what is said of it."""
import json
import os
import signal
import subprocess
import threading

from cli_support import block, check
from client import Case
from played_editor import PlayedEditor, change_in, say, sockets
from abuse import ends_well  # found by the line before

TEXT = "def area(r):\n    return 3.14 * r * r\n"
EDIT = {"path": "a.py", "old_str": "3.14", "new_str": "PI"}
WANTED = TEXT.replace("3.14", "PI")


def an_edit_is_applied_in_the_editor_and_undone_there(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    path, = sockets(case)
    check(os.stat(path).st_mode & 0o777 == 0o600 and os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700, "modes")
    server = case.server()
    text = editor.done(server, "edit", **EDIT)
    check("not built, applied in the editor (not saved)\nApplied in the editor (not saved): " in text, text)
    check(editor.buffers["a.py"] == WANTED and case.get("a.py") == TEXT, editor.buffers["a.py"])
    target = editor.asked[0]["documentChanges"][0]["textDocument"]
    check(target["version"] == 1, "the edit is not versioned: %r" % target)
    change = change_in(text)
    # It builds on what is not saved.
    editor.done(server, "apply_patch", patch=block("a.py", "    return PI * r * r\n", "    return PI * r ** 2\n"))
    check("has changed since" in server.refused("undo", change=change), "the text is another one")
    editor.change("a.py", WANTED)
    editor.actions("file:///none")  # it has been read
    text = editor.done(server, "undo", change=change)
    check("applied in the editor" in text.split("\n")[0] and editor.buffers["a.py"] == TEXT, text)
    check(case.get("a.py") == TEXT, "the disk was written")
    ends_well(editor)
    check(sockets(case) == [], "the socket is left")


def the_user_takes_an_edit_back(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    change = change_in(editor.done(server, "edit", **EDIT))
    check("result" in editor.command("bodkin.undo"), "there is nothing to undo")
    editor.until("the old text", lambda: editor.buffers["a.py"] == TEXT)
    check("no such change is in the files any more" in server.refused("undo", change=change), "it is undone already")


def the_editor_takes_back_an_edit_once_and_then_the_one_before(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    editor.done(server, "edit", path="a.py", old_str="def area", new_str="def surface")
    editor.done(server, "edit", **EDIT)
    for wanted in (TEXT.replace("def area", "def surface"), TEXT):
        check("result" in editor.command("bodkin.undo"), "there is nothing to undo")
        editor.until("the old text", lambda: editor.buffers["a.py"] == wanted)


def logged(case):
    """The ids and outcomes in the history, the newest first."""
    done = subprocess.run([case.program, "history", "--json"], env=os.environ, cwd=case.root, check=True, capture_output=True)
    return [(each["id"], each["outcome"]) for each in json.loads(done.stdout)]


def an_edit_is_in_the_history_once_and_the_editor_goes_back_through_all_of_them(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    changes = []
    for edit in (dict(EDIT, old_str="def area", new_str="def surface"), EDIT):
        changes.append(change_in(editor.done(server, "edit", **edit)))
        editor.until_written()
    check([id for id, _ in logged(case)] == changes[::-1], repr(logged(case)))
    for wanted in (TEXT.replace("def area", "def surface"), TEXT):
        check("result" in editor.command("bodkin.undo"), "there is nothing to undo")
        editor.until("the old text", lambda: editor.buffers["a.py"] == wanted)
        editor.until_written()
    check("error" in editor.command("bodkin.undo"), "undone once more")
    check(logged(case) == [(id, "undone") for id in changes[::-1]], repr(logged(case)))
    check("no such change is in the files any more" in server.refused("undo", change=changes[0]), "undone twice")


def an_edit_that_came_to_nothing_is_not_in_the_history(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    editor.on_apply = lambda e, edit: {"applied": False, "failureReason": "it is read-only"}
    check(editor.call(case.server(), "edit", **EDIT)[1], "it was applied")
    editor.until_written()
    check(logged(case) == [], repr(logged(case)))


def an_id_that_was_made_up_leaves_the_change_that_has_it(case):
    case.put("a.py", TEXT)
    case.put("b.c", "int x;\n")
    subprocess.run([case.program, "apply"], env=os.environ, cwd=case.root, check=True, capture_output=True,
                   input=block("b.c", "int x;\n", "long x;\n").encode())
    (change, _), = logged(case)
    editor = PlayedEditor(case, "a.py")
    path, = sockets(case)
    edit = {"root": case.root, "files": [{"path": "a.py", "before": TEXT, "after": WANTED}], "change": change}
    for answer in ({"applied": False, "failureReason": "no"}, None):
        editor.on_apply = (lambda e, edit: answer) if answer else PlayedEditor.take
        asked, said = len(editor.asked), []
        saying = threading.Thread(target=lambda: said.append(say(path, edit)))
        saying.start()
        editor.until("an edit", lambda: len(editor.asked) > asked)
        saying.join(60)
        check(said and said[0]["state"] == ("refused" if answer else "applied"), repr(said))
        editor.until_written()
        check((change, "applied") in logged(case), repr(logged(case)))


def what_an_agent_takes_back_is_undone_in_the_editor_and_done_again_there(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    change = change_in(editor.done(server, "edit", **EDIT))
    editor.done(server, "undo", change=change)
    editor.until_written()
    check(editor.buffers["a.py"] == TEXT and logged(case) == [(change, "undone")], repr(logged(case)))
    check("error" in editor.command("bodkin.undo"), "an undo is no change that can be undone")
    check("result" in editor.command("bodkin.redo"), "not redone")
    editor.until("the new text", lambda: editor.buffers["a.py"] == WANTED)
    editor.until_written()
    editor.done(server, "undo", change=change)
    check(editor.buffers["a.py"] == TEXT, editor.buffers["a.py"])


def of_two_edits_of_a_line_the_agent_takes_back_one_and_the_user_the_other(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    editor.done(server, "edit", **EDIT)
    change = change_in(editor.done(server, "edit", path="a.py", old_str="PI", new_str="TAU"))
    editor.done(server, "undo", change=change)
    check(editor.buffers["a.py"] == WANTED, editor.buffers["a.py"])
    editor.until_written()
    check("result" in editor.command("bodkin.undo"), "there is nothing to undo")
    editor.until("the old text", lambda: editor.buffers["a.py"] == TEXT)


def what_an_editor_was_handed_is_undone_after_its_restart(case):
    for name in ("a.py", "sub/a.py"):
        case.put(name, TEXT)
    for root, name in ((".", "a.py"), ("sub", "sub/a.py")):
        editor = PlayedEditor(case, "a.py", "sub/a.py")
        editor.done(case.server("--root", case.path(root)), "edit", **EDIT)
        case.put(name, WANTED)  # it is saved
        editor.until_written()
        editor.kill()
        again = PlayedEditor(case, "a.py", "sub/a.py")
        check("result" in again.command("bodkin.undo"), "there is nothing to undo")
        again.until("the old text", lambda: again.buffers[name] == TEXT)
        case.put(name, TEXT)
        ends_well(again)


def a_file_that_is_not_open_is_written_to_the_disk(case):
    """What an editor has of it in a buffer that it does not report, nobody knows; so it is not asked."""
    case.put("a.py", TEXT)
    case.put("b.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    check("written to the disk" in server.done("edit", **dict(EDIT, path="b.py")), "b.py")
    check("written to the disk" in server.done("edit", path="new.py", old_str="", new_str="x = 1\n"), "new.py")
    both = block("a.py", "def area(r):\n", "def area(q):\n") + block("b.py", "def area(r):\n", "def area(q):\n")
    editor.change("a.py", "# typed\n" + TEXT)
    editor.actions("file:///none")
    text = server.refused("apply_patch", patch=both)
    check("a.py has unsaved text in the editor, but not all of these files are open there; change it alone" in text, text)
    check(case.get("a.py") == TEXT and case.get("b.py") == WANTED and editor.asked == [], "half of it is applied")
    editor.open("b.py", WANTED)
    editor.actions("file:///none")
    editor.done(server, "apply_patch", patch=both)
    check("area(q)" in editor.buffers["a.py"] and "area(q)" in editor.buffers["b.py"], repr(editor.buffers))


def a_link_goes_to_the_buffer_of_its_file(case):
    case.put("one.py", TEXT)
    os.symlink("one.py", case.path("link.py"))
    editor = PlayedEditor(case, "link.py")
    editor.change("link.py", TEXT + "# more\n")
    editor.done(case.server(), "edit", **dict(EDIT, path="one.py"))
    check(editor.buffers == {"link.py": WANTED + "# more\n"}, repr(editor.buffers))


def what_the_editor_saves_is_said_to_be_saved(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")

    def saves(e, edit):
        case.put("a.py", WANTED)
        return e.take(edit)
    editor.on_apply = saves
    text = editor.done(case.server(), "edit", **EDIT)
    check("applied in the editor, which has saved it" in text and "not saved" not in text, text)
    check("not on the disk" not in text, text)
    editor.change("a.py", "# typed\n" + WANTED)
    editor.actions("file:///none")

    def saves_all(e, edit):
        result = e.take(edit)
        case.put("a.py", e.buffers["a.py"])
        return result
    editor.on_apply = saves_all
    text = editor.done(case.server(), "edit", path="a.py", old_str="area", new_str="surface")
    check("which has saved it" in text and "not on the disk" not in text, text)


def unsaved_text_is_what_the_tools_see(case):
    case.put("a.py", TEXT)
    case.put("b.py", TEXT)
    editor = PlayedEditor(case, "a.py", "b.py")
    editor.change("a.py", "# typed\n\n\n" + TEXT.replace("area", "surface"))
    editor.actions("file:///none")
    server = case.server()
    text = server.done("read_symbol", path="a.py", line=4)
    check("def surface" in text and "a.py is shown as it is in the editor, not on the disk" in text, text)
    check("editor" not in server.done("read_symbol", path="b.py", line=1), "b.py is as on the disk")
    check("surface" in server.done("outline", path="a.py"), "outline")
    check("surface" in server.done("context", path="a.py", line=5), "context")
    text = server.done("check_patch", patch=block("a.py", "def surface(r):\n", "def surface(q):\n"))
    check("a.py (as it is in the editor, not on the disk)" in text, text)
    server.refused("check_patch", patch=block("a.py", "def area(r):\n", "def area(q):\n"))
    editor.done(server, "edit", **EDIT)
    check(editor.buffers["a.py"] == "# typed\n\n\n" + WANTED.replace("area", "surface"), editor.buffers["a.py"])
    check(case.get("a.py") == TEXT, "the disk was written")


def only_the_text_that_was_seen_is_changed(case):
    for name in ("a.py", "b.py", ".env", "secret/s.py"):
        case.put(name, TEXT)
    case.put(".bodkinignore", "secret/\n")
    editor = PlayedEditor(case, "a.py", ".env", "secret/s.py")
    editor.change("a.py", "# typed\n" + TEXT)
    editor.change(".env", "PASSWORD=hunter2\n")
    editor.actions("file:///none")
    path, = sockets(case)
    seen = say(path, {"root": case.root})
    check(seen == {"open": [{"path": "a.py", "text": "# typed\n" + TEXT}], "movesFiles": True}, repr(seen))
    edit = {"path": "a.py", "before": TEXT, "after": WANTED}
    for wrong in (edit, dict(edit, path=".env", before="PASSWORD=hunter2\n"), dict(edit, path="secret/s.py"),
                  dict(edit, path="../a.py"), dict(edit, path="/etc/passwd"), dict(edit, path=".git/config"),
                  dict(edit, path="none.py"), dict(edit, path=case.path("a.py")), dict(edit, path="b.py"),
                  {"path": "a.py", "before": "# typed\n" + TEXT, "after": WANTED, "to": "../b.py"}):
        answer = say(path, {"root": case.root, "files": [wrong]})
        check(answer["state"] == "refused" and answer["words"], "%r: %r" % (wrong, answer))
    twice = say(path, {"root": case.root, "files": [dict(edit, before="# typed\n" + TEXT)] * 2})
    check(twice["state"] == "refused" and "twice" in twice["words"], repr(twice))
    for wrong in (b"", b"{", b"\n", b"{}\n", b"[]\n", b"\xff\n", b'{"root": "/"}\n', {"root": case.root, "files": []},
                  {"root": os.path.dirname(case.root) + "/other"}, {"root": case.root, "files": [{}]},
                  {"root": case.root, "files": [{"path": "a.py", "after": WANTED}]}, b"[" * 100000 + b"\n"):
        check(say(path, wrong) is None, repr(wrong)[:100])
    check(editor.asked == [] and case.get("a.py") == TEXT, "an edit was sent")
    ends_well(editor)


def an_editor_that_refuses_is_obeyed(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    editor.on_apply = lambda e, edit: {"applied": False, "failureReason": "it is read-only"}
    server = case.server()
    text, failed = editor.call(server, "edit", **EDIT)
    check(failed and text.startswith("not applied: ") and "it is read-only" in text, text)
    check("nothing was changed" in text and case.get("a.py") == TEXT, text)
    states = {each["id"]: each["state"] for each in editor.request("bodkin/listProposals", {})["result"]["proposals"]}
    check(set(states.values()) == {"discarded"}, "what the agent gave up is offered: %r" % states)
    editor.on_apply = lambda e, edit: e.take(edit)
    editor.done(server, "edit", **EDIT)


def what_the_editors_settings_deny_or_ask_about_is_not_applied(case):
    case.put("a.py", TEXT)
    case.put("b.py", TEXT)
    editor = PlayedEditor(case, "a.py", "b.py", options={"agent.permissions": {"edit": {"a.py": "deny", "b.py": "ask"}}})
    for name, why in (("a.py", "denies"), ("b.py", "nobody can be asked")):
        text = case.server().refused("edit", **dict(EDIT, path=name))
        check(why in text and editor.asked == [] and case.get(name) == TEXT, text)


def an_editor_that_does_not_answer_leaves_it_open(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    editor.on_apply = lambda e, edit: None
    text, failed = editor.call(case.server(), "edit", **EDIT)
    check(failed and text.startswith("not confirmed: ") and "nothing was changed" not in text, text)
    check(case.get("a.py") == TEXT, "the disk was written")


def a_server_that_dies_in_between_leaves_it_open(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    editor.on_apply = lambda e, edit: e.kill()
    server = case.server()
    text, failed = editor.call(server, "edit", **EDIT)
    check(failed and text.startswith("not confirmed: "), text)
    check(case.get("a.py") == TEXT and len(sockets(case)) == 1, "the disk was written")
    check(logged(case) == [(change_in(text), "not applied")], repr(logged(case)))
    # Now it is certain that nobody is there.
    text = server.done("edit", **EDIT)
    check("written to the disk" in text.split("\n")[0] and case.get("a.py") == WANTED, text)
    check(sockets(case) == [], "the abandoned socket is left")


def a_server_that_stands_still_is_not_passed_by(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    editor.process.send_signal(signal.SIGSTOP)
    try:
        text = server.refused("edit", **EDIT)
        check("does not answer" in text and "Nothing was changed" in text and case.get("a.py") == TEXT, text)
    finally:
        editor.process.send_signal(signal.SIGCONT)
    editor.done(server, "edit", **EDIT)


def of_two_editors_the_one_with_the_file_gets_it(case):
    for name in ("a.py", "b.py", "c.py"):
        case.put(name, TEXT)
    first, second = PlayedEditor(case, "a.py", "b.py", "c.py"), PlayedEditor(case, "b.py", "c.py")
    server = case.server()
    text = first.done(server, "edit", **EDIT)
    check("2 editors have this folder open; it went to the one that has the file open" in text, text)
    text = second.done(server, "edit", **dict(EDIT, path="b.py"))
    check("it went to the newest one" in text and first.buffers["b.py"] == TEXT, text)
    first.change("c.py", "# one\n" + TEXT)
    first.actions("file:///none")
    first.done(server, "edit", **dict(EDIT, path="c.py"))
    second.change("c.py", "# two\n" + TEXT)
    second.actions("file:///none")
    check("different unsaved texts" in server.refused("edit", **dict(EDIT, path="c.py")), "which one?")


def a_socket_or_folder_that_others_can_enter_is_not_used(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    path, = sockets(case)
    os.chmod(path, 0o666)
    text = server.refused("edit", **EDIT)
    check("0600" in text and path in text and case.get("a.py") == TEXT, text)
    os.chmod(path, 0o600)
    editor.done(server, "edit", **EDIT)
    ends_well(editor)
    os.chmod(os.environ["XDG_RUNTIME_DIR"], 0o755)
    PlayedEditor(case, "a.py")
    check(sockets(case) == [], "a socket that others can reach")
    check("written to the disk" in server.done("edit", **EDIT), "the disk")


def an_abandoned_socket_is_removed(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case)
    path, = sockets(case)
    editor.kill()
    check(sockets(case) == [path], "a killed server removes nothing")
    check("written to the disk" in case.server().done("edit", **EDIT), "the disk")
    check(sockets(case) == [], "it is left")


def without_a_runtime_folder_the_disk_is_written(case):
    case.put("a.py", TEXT)
    runtime = os.environ.pop("XDG_RUNTIME_DIR")
    try:
        PlayedEditor(case, "a.py")
        check("written to the disk" in case.server().done("edit", **EDIT), "the disk")
    finally:
        os.environ["XDG_RUNTIME_DIR"] = runtime
    check(case.get("a.py") == WANTED and sockets(case) == [], "sockets")


def an_untrusted_folder_or_a_simple_editor_has_no_socket(case):
    case.put("a.py", TEXT)
    PlayedEditor(case, "a.py", trusted=False)
    PlayedEditor(case, "a.py", workspace={"applyEdit": True, "workspaceEdit": {}})
    PlayedEditor(case, "a.py", workspace={"applyEdit": False})
    check(sockets(case) == [], repr(sockets(case)))
    editor = PlayedEditor(case, "a.py")
    check(len(sockets(case)) == 1, "one is trusted")
    editor.notify("bodkin/didChangeTrust", {"trusted": False})
    editor.actions("file:///none")
    check(sockets(case) == [], "trust was lost")
    check("written to the disk" in case.server().done("edit", **EDIT), "the disk")


def open_files_move_and_go_in_the_editor(case):
    case.put("a.py", TEXT)
    case.put("old.py", "x = 1\n")
    case.put("gone.txt", "bye\n")
    patch = ("*** Begin Patch\n*** Update File: a.py\n@@\n-def area(r):\n+def area(q):\n*** Delete File: gone.txt\n"
             "*** Update File: old.py\n*** Move to: moved.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n")
    editor = PlayedEditor(case, "a.py", "old.py", "gone.txt")
    text = editor.done(case.server(), "apply_patch", patch=patch)
    check("applied in the editor (not saved)" in text, text)
    check(editor.buffers == {"a.py": TEXT.replace("(r)", "(q)"), "moved.py": "x = 2\n"}, repr(editor.buffers))
    check(not os.path.exists(case.path("gone.txt")), "gone.txt")


def an_editor_that_cannot_move_files_leaves_them_to_the_disk(case):
    case.put("a.py", TEXT)
    case.put("gone.txt", "bye\n")
    editor = PlayedEditor(case, "a.py", "gone.txt", workspace={"workspaceEdit": {"documentChanges": True}})
    server = case.server()
    patch = "*** Begin Patch\n*** Delete File: %s\n*** End Patch\n"
    check("written to the disk" in server.done("apply_patch", patch=patch % "gone.txt"), "gone.txt")
    editor.change("a.py", "# typed\n" + TEXT)
    editor.actions("file:///none")
    text = server.refused("apply_patch", patch=patch % "a.py")
    check("unsaved" in text and "does not let bodkin move or remove" in text and case.get("a.py") == TEXT, text)


def one_edit_waits_for_the_other(case):
    case.put("a.py", TEXT)
    case.put("b.py", TEXT)
    editor = PlayedEditor(case, "a.py", "b.py")
    editor.on_apply = lambda e, edit: None
    servers = [case.server(), case.server()]
    one = servers[0].start_call("edit", EDIT)
    editor.until("an edit", lambda: editor.asked)
    other = servers[1].start_call("edit", dict(EDIT, path="b.py"))
    servers[1].done("outline", path="a.py")  # reading does not wait
    check(len(editor.asked) == 1, "two at once")
    editor.on_apply = lambda e, edit: e.take(edit)
    editor.take(editor.asked[0])
    editor.send({"jsonrpc": "2.0", "id": editor.unanswered, "result": {"applied": True}})
    text, failed = servers[0].finished(one)
    check(not failed, text)
    editor.until("the other edit", lambda: len(editor.asked) == 2)
    text, failed = servers[1].finished(other)
    check(not failed and editor.buffers == {"a.py": WANTED, "b.py": WANTED}, text)


def each_folder_of_a_workspace_has_its_socket(case):
    for name in ("one/a.py", "two/a.py"):
        case.put(name, TEXT)
    editor = PlayedEditor(case, "one/a.py", "two/a.py", folders=["one", "two"])
    check(len(sockets(case)) == 2, repr(sockets(case)))
    editor.done(case.server("--root", case.path("two")), "edit", **EDIT)
    check(editor.buffers == {"one/a.py": TEXT, "two/a.py": WANTED}, repr(editor.buffers))
    editor.done(case.server(), "edit", **dict(EDIT, path="one/a.py"))  # from above
    check(editor.buffers == {"one/a.py": WANTED, "two/a.py": WANTED}, repr(editor.buffers))


def an_agent_in_a_folder_of_the_editors_is_heard(case):
    for name in ("top.py", "sub/a.py", "sub/b.py"):
        case.put(name, TEXT)
    for folders in (None, [".", "sub"]):
        editor = PlayedEditor(case, "top.py", "sub/a.py", folders=folders)
        for name in editor.buffers:
            editor.change(name, "# typed\n" + TEXT)
        editor.actions("file:///none")
        server = case.server("--root", case.path("sub"))
        text = editor.done(server, "edit", **EDIT)
        check("editors have" not in text and editor.buffers["sub/a.py"] == "# typed\n" + WANTED, text)
        check(case.get("sub/a.py") == TEXT, "the disk was written")
        move = "*** Begin Patch\n*** Update File: a.py\n*** Move to: c.py\n@@\n-def area(r):\n+def area(q):\n*** End Patch\n"
        editor.done(server, "apply_patch", patch=move)
        check("sub/c.py" in editor.buffers and "sub/a.py" not in editor.buffers, repr(editor.buffers))
        for path in sockets(case):
            for root in (case.path("sub/.."), case.path("sub/../sub"), case.root + "/", case.root + "x", "/", ""):
                check(say(path, {"root": root}) is None, root)
        case.put("sub/a.py", TEXT)
        os.remove(case.path("sub/c.py"))
        ends_well(editor)


def an_agent_above_the_editors_folder_is_heard(case):
    case.put("sub/a.py", TEXT)
    case.put("b.py", TEXT)
    editor = PlayedEditor(Case(case.program, case.path("sub")), "a.py")
    case.servers.append(editor)
    editor.change("a.py", "# typed\n" + TEXT)
    editor.actions("file:///none")
    server = case.server()
    check("# typed" in server.done("context", path="sub/a.py", line=1), "the unsaved text is not seen")
    text = editor.done(server, "edit", **dict(EDIT, path="sub/a.py"))
    check("applied in the editor (not saved)" in text, text)
    check(editor.buffers["a.py"] == "# typed\n" + WANTED and case.get("sub/a.py") == TEXT, repr(editor.buffers))
    check("written to the disk" in server.done("edit", **dict(EDIT, path="b.py")), "b.py is not open there")
