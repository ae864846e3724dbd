"""A whole conversation in each dialect: reading, a call that is refused and repaired, edits of several files, the
answer. The workspace's bytes stay as they are before the person's consent; then the files are what the original
system would have written. Each test is a function of the program's path."""
from abuse import check, ends_well
from asks import Asker, turn
from clients import TEXT
from run_commands import digest, take

B = "int x;\nint y;\n"
F = "int f(void) {\n  return 1;\n}\n\nint g(void) {\n  return 2;\n}\n\nint h(void) {\n  return 3;\n}\n"
FILES = {"a.c": TEXT, "b.c": B, "f.c": F, "old.c": "int old;\n"}
PATCH = """*** Begin Patch
*** Update File: a.c
@@
 int a;
-int b;
+long b;
*** Add File: new.c
+int n;
*** Delete File: old.c
*** End Patch
"""


def say(text, *expect, absent=()):
    return turn(text, expect=expect, absent=absent)


def call(name, *expect, absent=(), text="", **arguments):
    return turn(text, calls=[(name, arguments)], expect=expect, absent=absent)


def holds(program, dialect, turns, wanted, answer="Done.", permissions=None, streamed=None):
    """`wanted`: the files that are changed, as they are in the end; None: removed."""
    settings = {"agent.profile": "tools", "agent.dialect": dialect, "agent.permissions": permissions or {}}
    editor = Asker(program, turns, settings, files=FILES, texts=FILES)
    before = digest(editor.folder)
    editor.ask()
    end = editor.end("proposal")
    check(end["message"] == answer, str(end))
    check(digest(editor.folder) == before, "the workspace's bytes have changed")
    shown = "".join(each["text"] for each in editor.of("$/bodkin/stream") if each["kind"] == "text")
    check(streamed is None or shown == streamed, "streamed: " + repr(shown))
    editor.on_apply = take
    editor.command("bodkin.apply", proposalId=end["proposalId"])
    editor.state("applied")
    want = dict(FILES, **wanted)
    want = {name: text for name, text in want.items() if text is not None}
    have = {name: text for name, text in editor.buffers.items() if name in want or wanted.get(name, "") is not None}
    check(have == want, "%s has %s" % (dialect, have))
    ends_well(editor)


def codex_patches_without_reading_and_in_a_shell(program):
    wrong = PATCH.replace("-int b;", "-int q;")
    heredoc = "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: b.c\n@@\n-int y;\n+long y;\n*** End Patch\nEOF\n"
    holds(program, "codex", [
        call("update_plan", "apply_patch", plan=[{"step": "Widen", "status": "in_progress"}], absent=["old_str"]),
        call("apply_patch", "Plan updated", input=wrong),
        call("apply_patch", "<returncode>1</returncode>", input=PATCH),
        call("shell", "<returncode>0</returncode>", "Created new.c", command=["bash", "-lc", heredoc]),
        say("Done.", "Edited b.c")],
        {"a.c": TEXT.replace("int b", "long b"), "b.c": B.replace("int y", "long y"), "new.c": "int n;\n", "old.c": None},
        permissions={"run": "allow"})


def codex_commands_have_the_observation_form(program):
    holds(program, "codex", [
        call("shell", command=["bash", "-lc", "cat a.c && sed -i 's/int b/long b/' a.c"], workdir=".", timeout_ms=20000),
        call("shell", "<returncode>0</returncode>\n<output>\nint a;", command=["cat", "b.c"], justification="to see"),
        say("Done.", '"justification" is not an argument; the arguments are command, timeout_ms, workdir.')],
        {"a.c": TEXT.replace("int b", "long b")}, permissions={"run": "allow"})


def opencode_views_edits_patches_and_writes(program):
    holds(program, "opencode", [
        call("ls", "`view`", path=".", ignore=["old.c"]),
        call("view", "├── a.c", file_path="a.c", offset=0, limit=3, absent=["├── old.c"]),
        call("edit", "2| int b;", file_path="a.c", old_string="int q;", new_string="long q;"),
        call("edit", "int q;", file_path="a.c", old_string="int b;", new_string="long b;"),
        call("view", "Edited a.c", file_path="b.c"),
        call("patch", "2| int y;", patch_text="*** Begin Patch\n*** Update File: b.c\n@@\n-int y;\n+long y;\n*** End Patch\n"),
        call("write", "Edited b.c", file_path="new.c", content="int n;\n"),
        call("grep", "Created new.c", pattern="int.n", literal_text=True, include="*.c"),
        call("glob", "No matches.", pattern="*.c"),
        say("Done.", "\nnew.c\n")],
        {"a.c": TEXT.replace("int b", "long b"), "b.c": B.replace("int y", "long y"), "new.c": "int n;\n"})


def claude_reads_edits_several_times_and_writes(program):
    edits = [{"old_string": "int b;", "new_string": "long b;"}, {"old_string": "long b;", "new_string": "long long b;"}]
    holds(program, "claude", [
        call("Read", "`Edit`", file_path="a.c"),
        call("MultiEdit", "2| int b;", file_path="a.c", edits=edits + [{"old_string": "int q;", "new_string": ""}]),
        call("Read", "Edit 3 of 3", file_path="a.c", offset=2, limit=1),
        call("MultiEdit", "lines 2-2 of 3", file_path="a.c", edits=edits),
        call("Grep", "Edited a.c", pattern="INT X", output_mode="content", **{"-i": True, "-n": True}),
        call("Write", "b.c:1: int x;", file_path="b.c", content="int z;\n"),
        call("Read", "read it before you edit", file_path="b.c"),
        call("Write", file_path="b.c", content="int z;\n"),
        call("Glob", "Edited b.c", pattern="**/*.c", path="."),
        say("Done.", "old.c")],
        {"a.c": TEXT.replace("int b", "long long b"), "b.c": "int z;\n"})


def editing(tool, command, *expect, **arguments):
    return call(tool, *expect, command=command, **arguments)


def anthropic_views_creates_replaces_and_inserts(program):
    tool = "str_replace_based_edit_tool"
    holds(program, "anthropic", [
        editing(tool, "view", tool, path="."),
        editing(tool, "view", "a.c", path="a.c", view_range=[1, -1]),
        editing(tool, "str_replace", "3| int c;", path="a.c", old_str="int b;", new_str="long b;", explanation="wider"),
        editing(tool, "str_replace", '"explanation" is not an argument', path="a.c", old_str="int b;", new_str="long b;"),
        editing(tool, "insert", "Edited a.c", path="a.c", insert_line=0, insert_text="// wide"),
        editing(tool, "create", "Edited a.c", path="b.c", file_text="x"),
        editing(tool, "create", "already exists", path="new.c", file_text="int n;\n"),
        say("Done.", "Created new.c")],
        {"a.c": "// wide\n" + TEXT.replace("int b", "long b"), "new.c": "int n;\n"})


def openhands_edits_drafts_and_takes_back(program):
    tool = "str_replace_editor"
    holds(program, "openhands", [
        editing(tool, "view", tool, path="a.c"),
        editing(tool, "str_replace", "2| int b;", path="a.c", old_str="int", new_str="long"),
        editing(tool, "str_replace", "Edit", path="a.c", old_str="int b;", new_str="long b;"),
        editing(tool, "str_replace", "Edited a.c", path="a.c", old_str="int c;", new_str="long c;"),
        editing(tool, "undo_edit", "Edited a.c", path="a.c"),
        editing(tool, "view", "Took back the last edit of a.c", path="f.c"),
        call("edit_file", "9| int h", path="f.c", start=5, end=-1,
             content="// no changes needed before this line\nint h(void) {\n  return 30;\n}\n"),
        call("edit_file", "Edited f.c", path="f.c", start=1, end=3, content="int f(void) {\n  return 10;\n}\n"),
        say("Done.", "at line 2")],
        {"a.c": TEXT.replace("int b", "long b"), "f.c": F.replace("3;", "30;").replace("1;", "10;")})


def cursor_sketches_names_lines_and_finishes(program):
    why = "To see it."
    holds(program, "cursor", [
        call("list_dir", "`edit_file`", relative_workspace_path=".", explanation=why),
        call("read_file", "├── old.c", target_file="a.c", explanation=why),
        call("edit_file", "2| int b;", target_file="a.c", instructions="Widen b.",
             code_edit="int a;\nlong b;\nint c;\n// ... existing code ..."),
        call("replace_file", "Edited a.c", target_file="b.c", start_line=2, end_line=2, content="long y;"),
        call("read_file", "read it before you edit", target_file="b.c", should_read_entire_file=True),
        call("read_file", "the arguments are explanation, target_file", target_file="b.c"),
        call("replace_file", "2| int y;", target_file="b.c", start_line=2, end_line=2, content="long y;"),
        call("insert_file", "Edited b.c", target_file="b.c", content="int w;", line_number=1),
        call("remove_file", "Edited b.c", target_file="b.c", start_line=2, end_line=2),
        call("insert_file", "Edited b.c", target_file="new.c", content="int n;\n"),
        call("read_file", "Created new.c", target_file="old.c"),
        call("delete_file", "int old;", target_file="old.c"),
        call("grep_search", "Removed old.c", query="INT N", include_pattern="*.c", explanation=why),
        call("file_search", "new.c:1: int n;", query="b.c"),
        call("finish", "b.c", text="Widened.")],
        {"a.c": TEXT.replace("int b", "long b"), "b.c": "int w;\nlong y;\n", "new.c": "int n;\n", "old.c": None},
        answer="Widened.")


def the_workflow_edits_by_call_and_by_text_and_its_tags_are_not_shown(program):
    def block(old, new):
        return "<<<<<<< SEARCH\n%s\n=======\n%s\n>>>>>>> REPLACE\n" % (old, new)
    end = say('<file-edit filePath="b.c">\n' + block("int y;", "long y;") + "</file-edit>\n<chat>Done.</chat>\n", "Edited a.c")
    holds(program, "workflow", [
        call("readTool", "`editTool`", filePath="a.c"),
        call("editTool", "2| int b;", filePath="a.c", diffContent=block("int q;", "long q;")),
        call("editTool", "int q;", filePath="a.c", diffContent=block("int b;", "long b;")),
        end],
        {"a.c": TEXT.replace("int b", "long b"), "b.c": B.replace("int y", "long y")},
        streamed="\n" + block("int y;", "long y;") + "\nDone.\n")


def a_model_that_forgets_its_dialect_is_understood(program):
    holds(program, "auto", [
        call("read_file", target_file="a.c", explanation="to see"),
        call("Edit", "2| int b;", file_path="a.c", old_string="int b;", new_string="long b;"),
        call("grep_search", "Edited a.c", query="int x", include_pattern="*.h"),
        call("edit", "No matches.", file_path="a.c", old_string="int c;", new_string="long c;", flags="g"),
        say("Done.", '"file_path" is not an argument; the arguments are new_str, old_str, path, replace_all.')],
        {"a.c": TEXT.replace("int b", "long b")})


def tests():
    return [(test.__name__.replace("_", " "), test) for test in (
        codex_patches_without_reading_and_in_a_shell, codex_commands_have_the_observation_form,
        opencode_views_edits_patches_and_writes, claude_reads_edits_several_times_and_writes,
        anthropic_views_creates_replaces_and_inserts, openhands_edits_drafts_and_takes_back,
        cursor_sketches_names_lines_and_finishes,
        the_workflow_edits_by_call_and_by_text_and_its_tags_are_not_shown,
        a_model_that_forgets_its_dialect_is_understood)]
