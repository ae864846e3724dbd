"""Files that are created, moved and deleted, or changed by others meanwhile."""
from cli_support import TEXT, WIDER, turn
from case import FILES, ONE
from client import check


def a_file_that_changed_meanwhile_is_left_alone(case):
    editor = case.editor(ONE)

    def change(params):
        case.put("a.c", "int z;\n")
        return {"outcome": {"outcome": "selected", "optionId": "apply"}}
    editor.answers["session/request_permission"] = change
    editor.turn("wider")
    check(case.get() == "int z;\n" and "has changed since" in editor.words(), editor.words())


def an_edit_goes_with_its_lines_if_the_user_types_meanwhile(case):
    for name, buffered in (("test", False), ("zed", True)):
        case.put("a.c", TEXT)
        editor = case.editor(ONE, name=name, **FILES)

        def type_above(params):
            if buffered:
                editor.buffers[str(case.root / "a.c")] = "// typed\n" + TEXT
            else:
                case.put("a.c", "// typed\n" + TEXT)
            return {"outcome": {"outcome": "selected", "optionId": "apply"}}
        editor.answers["session/request_permission"] = type_above
        editor.turn("wider")
        check(case.get() == "// typed\n" + TEXT.replace("int b", "long b"), case.get())
        check("changed after it was checked" in editor.words(), editor.words())


def what_the_disk_has_since_is_not_overwritten_by_what_the_editor_still_has(case):
    for name in ("test", "zed"):
        for unsaved, other, whole in (("", "int z;\n", True), ("", None, False), ("int x;\n", "int z;\n", False)):
            case.put("a.c", TEXT)
            path = str(case.root / "a.c")
            editor = case.editor(ONE, name=name, **FILES)
            editor.buffers[path] = TEXT + unsaved  # it does not look at the disk again

            def change_the_disk(params):
                case.put("a.c", TEXT + other if other else TEXT.replace("int b;", "char b;"))
                return {"outcome": {"outcome": "selected", "optionId": params["options"][0]["optionId"]}}

            editor.answers["session/request_permission"] = change_the_disk
            editor.turn("wider")
            wanted = TEXT + other if other else TEXT.replace("int b;", "char b;")
            wanted = wanted.replace("int b;", "long b;") if whole else wanted
            check(case.get("a.c") == wanted, "%s: %r: %s" % (name, case.get("a.c"), editor.words()))
            check(whole or "has changed" in editor.words(), editor.words())
            editor.kill()


def a_file_is_created_moved_and_deleted(case):
    case.put("old.c", "int o;\n")
    editor = case.editor([
        turn("", [{"name": "read_file", "arguments": {"path": "old.c"}}]),
        turn("", [{"name": "write_file", "arguments": {"path": "sub/new.c", "content": "int n;\n"}},
                  {"name": "delete_file", "arguments": {"path": "old.c"}}]), turn("Done.")], **FILES)
    editor.turn("replace it")
    check(not (case.root / "old.c").exists() and case.get("sub/new.c") == "int n;\n", "not both")
    titles = {u["title"]: u["kind"] for u in editor.updates("tool_call") if u["title"].startswith(("Create", "Delete"))}
    check(titles == {"Create sub/new.c": "edit", "Delete old.c": "delete"}, titles)
    check(editor.turn("/undo") == "end_turn", "not undone")
    check(case.get("old.c") == "int o;\n" and not (case.root / "sub/new.c").exists(), "not undone")


def locations_name_files_that_exist(case):
    editor = case.editor(WIDER)
    editor.turn("wider")
    paths = {place["path"] for update in editor.updates() for place in update.get("locations", [])}
    check(paths == {str(case.root / "a.c")}, paths)
