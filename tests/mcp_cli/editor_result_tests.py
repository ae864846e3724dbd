"""What `bodkin mcp` says when an editor does, has or shows something else than it was asked for."""
from cli_support import block, check
from editor_tests import EDIT, TEXT, WANTED
from played_editor import PlayedEditor
from abuse import ends_well  # found by the line before


def what_is_saved_with_other_changes_is_said_to_be_saved(case):
    case.put("a.py", TEXT + "x = 1  \n")
    editor = PlayedEditor(case, "a.py")

    def formats_and_saves(e, edit):
        e.take(edit)
        e.change("a.py", e.buffers["a.py"].replace("1  ", "1"))
        case.put("a.py", e.buffers["a.py"])
        return {"applied": True}
    editor.on_apply = formats_and_saves
    text = editor.done(case.server(), "edit", **EDIT)
    check("which has saved it" in text and "not saved" not in text and "other changes, too" in text, text)


def a_refusal_whose_change_comes_late_is_no_refusal(case):
    """Neovim: an error in an autocommand makes it answer so, and it reports changes after a delay."""
    for late in (lambda e, edit: e.take(edit), lambda e, edit: e.change("a.py", "oops\n" + TEXT)):
        case.put("a.py", TEXT)
        editor = PlayedEditor(case, "a.py")
        number = case.server().start_call("edit", EDIT)
        server = case.servers[-1]
        editor.on_apply = lambda e, edit: {"applied": False, "failureReason": "an autocommand failed"}
        editor.until("an edit", lambda: editor.asked)
        late(editor, editor.asked[0])
        text, failed = server.finished(number)
        check("nothing was changed" not in text and failed == ("oops" in editor.buffers["a.py"]), text)
        ends_well(editor)


def what_is_closed_without_being_saved_is_not_confirmed(case):
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")

    def closes(e, edit):
        e.take(edit)
        e.close("a.py")
        return {"applied": True}
    editor.on_apply = closes
    text, failed = editor.call(case.server(), "edit", **EDIT)
    check(failed and text.startswith("not confirmed: ") and "closed there" in text, text)


def a_file_whose_text_is_not_known_is_shown_as_on_the_disk_and_left_alone(case):
    for name in ("a.py", "b.py", "c.py"):
        case.put(name, TEXT)
    first, second = PlayedEditor(case, "a.py", "b.py"), PlayedEditor(case, "b.py", "c.py")
    first.notify("textDocument/didChange", {"textDocument": {"uri": first.uri("a.py"), "version": 2}, "contentChanges": [
        {"range": {"start": {"line": 9, "character": 0}, "end": {"line": 8, "character": 0}}, "text": "x"}]})
    first.change("b.py", "# one\n" + TEXT)
    second.change("b.py", "# two\n" + TEXT)
    for editor in (first, second):
        editor.actions("file:///none")
    server = case.server()
    for name, why in (("a.py", "is not known"), ("b.py", "different unsaved texts")):
        text = server.done("read_symbol", path=name, line=1)
        check("%s is shown as it is on the disk: " % name in text and why in text, text)
        text = server.done("check_patch", patch=block(name, "def area(r):\n", "def area(q):\n"))
        check("would change %s (as it is on the disk: " % name in text and why in text, text)
        text = server.refused("edit", **dict(EDIT, path=name))
        check(why in text and "nothing was changed" in text and case.get(name) == TEXT, text)
    second.done(server, "edit", **dict(EDIT, path="c.py"))  # the others are not affected


def what_another_program_writes_counts_if_nothing_is_typed(case):
    """The agent's own tools and git do; an editor loads it when it looks."""
    case.put("a.py", TEXT)
    editor = PlayedEditor(case, "a.py")
    server = case.server()
    case.put("a.py", "# git\n" + TEXT)
    text = server.done("edit", **EDIT)
    check("written to the disk" in text and case.get("a.py") == "# git\n" + WANTED and editor.asked == [], text)
    editor.change("a.py", case.get("a.py"))  # it loads it
    editor.actions("file:///none")
    server.done("read_symbol", path="a.py", line=2)
    case.put("a.py", TEXT)
    server.done("edit", **EDIT)
    check(case.get("a.py") == WANTED and editor.asked == [], "it is not what the editor has")
    # Saved, and written again.
    editor.change("a.py", "# typed\n" + TEXT)
    case.put("a.py", "# typed\n" + TEXT)
    editor.notify("textDocument/didSave", {"textDocument": {"uri": editor.uri("a.py")}})
    editor.actions("file:///none")
    case.put("a.py", TEXT)
    server.done("edit", **EDIT)
    check(case.get("a.py") == WANTED and editor.asked == [], "what was saved is not unsaved")


def what_is_typed_counts_although_another_program_writes(case):
    for name in ("a.py", "b.py"):
        case.put(name, TEXT)
    editor = PlayedEditor(case, "a.py")
    editor.change("a.py", "# typed\n" + TEXT)
    editor.open("b.py", "# restored\n" + TEXT)  # unsaved since an earlier run of the editor
    editor.actions("file:///none")
    server = case.server()
    for name in ("a.py", "b.py"):
        before = editor.buffers[name]
        case.put(name, "# git\n" + TEXT)
        text = editor.done(server, "edit", **dict(EDIT, path=name))
        check(editor.buffers[name] == before.replace("3.14", "PI") and case.get(name) == "# git\n" + TEXT, text)
