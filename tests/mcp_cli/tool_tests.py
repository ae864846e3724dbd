"""Each tool on real folders: what it writes, what it refuses, and what it never shows."""
import json
import os
import re
import resource
import shutil
import subprocess
import threading

from client import Case, block, check

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FUNCTION = "def area(r):\n    return 3.14 * r * r\n\n\ndef twice(x):\n    return area(x) * 2\n"


def id_in(text, word):
    """The id in the last line."""
    last = text.rstrip("\n").split("\n")[-1]
    check(re.fullmatch(word + r" (p0-|all-)?[0-9a-f,]{16,}(diff-[0-9a-f]{16})?", last), "the last line is %r" % last)
    return last.split(" ")[1]


def a_patch_is_checked_then_applied_then_undone(case):
    for modern in (False, True):
        case.put("src/a.py", FUNCTION)
        case.put("gone.txt", "bye\n")
        server = case.server(modern=modern)
        patch = ("*** Begin Patch\n*** Update File: src/a.py\n@@\n-    return 3.14 * r * r\n+    return PI * r * r\n"
                 "*** Add File: new/b.py\n+PI = 3.14159\n*** Delete File: gone.txt\n*** End Patch\n")
        text = server.done("check_patch", patch=patch)
        check(text.startswith("can be applied: 3 hunks in 3 files; "), text)
        check("+    return PI * r * r" in text and case.get("src/a.py") == FUNCTION, text)
        text = server.done("apply_patch", patch=patch, base=id_in(text, "base"))
        check(text.startswith("applied 3 hunks in 3 files; "), text)
        check("written to the disk" in text.split("\n")[0], text)
        check("PI" in case.get("src/a.py") and case.get("new/b.py") == "PI = 3.14159\n", "not applied")
        check(not os.path.exists(case.path("gone.txt")), "not removed")
        check(server.done("apply_patch", patch=block("src/a.py", "def area(r):\n    return 3.14 * r * r\n",
                                                     "def area(r):\n    return PI * r * r\n"))
              .startswith("nothing to do"), "the same once more")
        text = server.done("undo", change=id_in(text, "change"))
        check(text.startswith("undone in 3 files"), text)
        check(case.get("src/a.py") == FUNCTION and case.get("gone.txt") == "bye\n", "not undone")
        check(not os.path.exists(case.path("new/b.py")), "not undone")


def every_format_is_placed(case):
    server = case.server()
    for patch, path in ((block("a.py", "    return 3.14 * r * r\n", "    return 3 * r * r\n"), None),
                        ("--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n def area(r):\n-    return 3.14 * r * r\n"
                         "+    return 3 * r * r\n", None),
                        ("<<<<<<< SEARCH\n    return 3.14 * r * r\n=======\n    return 3 * r * r\n>>>>>>> REPLACE\n", "a.py"),
                        (block(case.path("a.py"), "    return 3.14 * r * r\n", "    return 3 * r * r\n"), None)):
        case.put("a.py", FUNCTION)
        server.done("apply_patch", patch=patch, **({"path": path} if path else {}))
        check(case.get("a.py") == FUNCTION.replace("3.14", "3"), case.get("a.py"))


def an_edit_is_of_the_file_with_exactly_its_path_or_of_none(case):
    server = case.server()
    for name, is_possible in (("(a.py)", True), ("[a.py]", True), ("_a.py_", True), ("'a.py'", False), ("a.py ", False)):
        case.put("a.py", FUNCTION)
        case.put(name, FUNCTION)
        edit = {"path": name, "old_str": "    return 3.14 * r * r\n", "new_str": "    return 3 * r * r\n"}
        text = server.done("edit", **edit) if is_possible else server.refused("edit", **edit)
        check(case.get("a.py") == FUNCTION, "the other file was changed: " + text)
        check((case.get(name) != FUNCTION) == is_possible, text)
        os.remove(case.path(name))


def one_hunk_without_a_place_changes_nothing(case):
    case.put("a.py", FUNCTION)
    case.put("b.py", FUNCTION + FUNCTION)
    server = case.server()
    text = server.refused("apply_patch", patch=block("a.py", "    return area(x) * 2\n", "    return 0\n") +
                          block("b.py", "    return area(x) * 2\n", "    return 0\n"))
    check(text.startswith("not applied: ") and "b.py" in text and text.endswith("Nothing was changed.\n"), text)
    text = server.refused("check_patch", patch=block("a.py", "    return nothing(like, this)\n", "    return 0\n"))
    check(text.startswith("cannot be applied: "), text)
    server.refused("apply_patch", patch="I would rename it.")
    check(case.get("a.py") == FUNCTION and case.get("b.py") == FUNCTION * 2, "changed")


def what_is_not_quoted_exactly_needs_the_base(case):
    case.put("a.py", FUNCTION)
    server = case.server()
    patch = block("a.py", "def area(r):  \nreturn 3.14 * r * r\n", "def area(r):\nreturn 3 * r * r\n")
    text = server.refused("apply_patch", patch=patch)
    check("not quoted exactly" in text or "not everything is quoted exactly" in text, text)
    check("+    return 3 * r * r" in text and case.get("a.py") == FUNCTION, text)
    base = id_in(text, "base")
    case.put("a.py", "# new\n" + FUNCTION)
    check("a.py is not as it was" in server.refused("apply_patch", patch=patch, base=base), "a stale base")
    base = id_in(server.refused("apply_patch", patch=patch), "base")
    server.done("apply_patch", patch=patch, base=base)
    check(case.get("a.py") == "# new\n" + FUNCTION.replace("3.14", "3"), case.get("a.py"))
    whole = "a.py\n```python\nx = 1\n```\n"
    text = server.refused("apply_patch", patch=whole)
    check("x = 1" not in case.get("a.py"), "a file was replaced that nobody had read")


def another_file_than_the_named_one_needs_the_base(case):
    case.put("src/a.py", FUNCTION)
    server = case.server()
    for tool, arguments in (
            ("edit", {"path": "lib/src/a.py", "old_str": "return 3.14 * r * r", "new_str": "return 3"}),
            ("apply_patch", {"patch": block("a.py", "    return 3.14 * r * r\n", "    return 3\n")})):
        case.put("src/a.py", FUNCTION)
        text = server.refused(tool, **arguments)
        check("there is no " in text and case.get("src/a.py") == FUNCTION, text)
        server.done(tool, base=id_in(text, "base"), **arguments)
        check("return 3\n" in case.get("src/a.py"), "not applied")
    for prefix in ("a/", "./", case.root + "/"):
        case.put("src/a.py", FUNCTION)
        server.done("apply_patch", patch="--- %ssrc/a.py\n+++ %ssrc/a.py\n@@ -2 +2 @@\n-    return 3.14 * r * r\n+    return 3\n"
                    % (prefix, "b/" if prefix == "a/" else prefix))


def a_line_number_alone_needs_the_base(case):
    text = "def a():\n    x = 1\n    return x\n\n\ndef b():\n    x = 2\n    return x\n"
    server = case.server()
    for hunk in ("@@ -2,0 +3 @@\n+    x += 1\n", "@@ -8 +8 @@\n-    return x\n+    return -x\n"):
        case.put("a.py", text)
        patch = "--- a/a.py\n+++ b/a.py\n" + hunk
        answer = server.refused("apply_patch", patch=patch)
        check("line number" in answer and case.get("a.py") == text, answer)
        server.done("apply_patch", patch=patch, base=id_in(answer, "base"))
        check(case.get("a.py") != text, "not applied")
    case.put("a.py", text)
    server.done("apply_patch", patch="--- a/a.py\n+++ b/a.py\n@@ -7,2 +7,2 @@\n     x = 2\n-    return x\n+    return -x\n")


def a_base_of_something_read_is_a_base(case):
    case.put("a.py", FUNCTION)
    case.put("b.py", FUNCTION)
    server = case.server()
    one = id_in(server.done("read_symbol", path="a.py", line=1), "base")
    two = id_in(server.done("context", path="b.py", line="2"), "base")
    patch = block("a.py", "def area(r):\n", "def area(radius):\n") + block("b.py", "def area(r):\n", "def area(q):\n")
    check("b.py is not as it was" in server.refused("apply_patch", patch=patch, base=one), "b.py was not read")
    server.done("apply_patch", patch=patch, base=one + ", " + two)
    server.refused("apply_patch", patch=block("a.py", "def twice(x):\n", "def two(x):\n"), base="nonsense")


def a_base_that_came_with_a_diff_is_for_that_change(case):
    case.put("a.py", FUNCTION)
    server = case.server()
    sloppy, other = (block("a.py", "def area(r):  \nreturn 3.14 * r * r\n", "def area(r):\nreturn %d * r * r\n" % n) for n in (3, 4))
    exact = block("a.py", "    return area(x) * 2\n", "    return 0\n")
    base = id_in(server.done("check_patch", patch=sloppy), "base")
    for patch in (other, exact):
        text = server.refused("apply_patch", patch=patch, base=base)
        check("belongs to a different change" in text and case.get("a.py") == FUNCTION, text)
    text = server.refused("edit", path="a.py", old_str="area(x) * 2", new_str="0", base=base)
    check("belongs to a different change" in text and case.get("a.py") == FUNCTION, text)
    read = id_in(server.done("read_symbol", path="a.py", line=1), "base")
    text = server.refused("apply_patch", patch=sloppy, base=read)
    check("did not come with the diff" in text and "+    return 3 * r * r" in text and case.get("a.py") == FUNCTION, text)
    check(id_in(text, "base") == base, "another base for the same change: " + text)
    server.done("apply_patch", patch=sloppy, base=base)
    check("return 3 * r * r" in case.get("a.py"), "not applied")
    check("not as it was" in server.refused("apply_patch", patch=exact, base=base), "a base of before")


def no_file_is_guessed_for_a_path_outside_of_the_folder(case):
    case.put("root/src/a.py", FUNCTION)
    case.put("place/src/a.py", FUNCTION)
    os.symlink(case.path("place"), case.path("root/out"))
    server = case.server("--root", case.path("root"), env={"HOME": case.path("place")})
    old, new = "    return area(x) * 2\n", "    return 0\n"
    whole = case.path("place/src/a.py")
    for path in (whole, "file://" + whole, "~/src/a.py", "../place/src/a.py", "out/src/a.py", "/no/such/src/a.py"):
        patch = "*** Begin Patch\n*** Update File: %s\n@@\n-%s+%s*** End Patch\n" % (path, old, new)
        for tool, arguments in (("edit", {"path": path, "old_str": old, "new_str": new}),
                                ("edit", {"path": path, "old_str": "", "new_str": "x\n"}),
                                ("apply_patch", {"patch": block(path, old, new)}), ("apply_patch", {"patch": patch}),
                                ("apply_patch", {"patch": "<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" % (old, new), "path": path}),
                                ("check_patch", {"patch": "--- %s\n+++ %s\n@@ -7 +7 @@\n-%s+%s" % (path, path, old, new)}),
                                ("verify", {"patch": block(path, old, new)}), ("context", {"path": path, "line": 1}),
                                ("outline", {"path": path}), ("read_symbol", {"path": path, "line": 1})):
            text = server.refused(tool, **arguments)
            said = tool in ("context", "outline", "read_symbol") or " is outside the folder " in text
            check(said and not re.search("(?m)^base ", text), "%s %s: %s" % (tool, path, text))
    diff = "diff --git a%s b%s\n--- a%s\n+++ b%s\n@@ -7 +7 @@\n-%s+%s" % (whole, whole, whole, whole, old, new)
    text = server.refused("apply_patch", patch=diff)
    check(" is outside the folder " in text, text)
    check({case.get("root/src/a.py"), case.get("place/src/a.py")} == {FUNCTION}, "changed")


def a_folder_that_was_replaced_is_not_written(case):
    for call_before in (False, True):
        for arguments in (("--root", case.path("root")), ()):
            case.put("root/a.py", FUNCTION)
            server = case.server(*arguments, cwd=case.path("root"))
            server.initialize()
            if call_before:
                server.done("outline", path="a.py")
            os.rename(case.path("root"), case.path("moved"))
            text = server.refused("edit", path="a.py", old_str="area(x) * 2", new_str="0")
            check("is not a folder" in text, text)
            case.put("root/a.py", FUNCTION)
            for tool, more in (("edit", {"path": "a.py", "old_str": "area(x) * 2", "new_str": "0"}),
                               ("edit", {"path": "b.py", "old_str": "", "new_str": "x\n"}),
                               ("apply_patch", {"patch": block("a.py", "    return area(x) * 2\n", "    return 0\n")})):
                text = server.refused(tool, **more)
                check("moved or replaced" in text and "nothing was changed" in text, text)
            check(case.get("root/a.py") == case.get("moved/a.py") == FUNCTION, "changed")
            check(os.listdir(case.path("root")) == ["a.py"], os.listdir(case.path("root")))
            shutil.rmtree(case.path("root"))
            shutil.rmtree(case.path("moved"))


def a_huge_line_keeps_the_limit(case):
    case.put("a.txt", "\u00e9" * 20_000 + "\nx = 1\n")
    case.put("b.py", "def f():\n    return '" + "\u20ac" * 15_000 + "'\n")
    server = case.server()
    for answer in (server.done("context", path="a.txt", line=1), server.done("context", path="a.txt", line=2),
                   server.done("context", path="b.py", line=2), server.done("read_symbol", path="b.py", line=1),
                   server.done("edit", path="b.py", old_str="def f", new_str="def g")):  # client.py checks the size
        check("\ufffd" not in answer, answer[:200])


def text_that_is_not_utf8_keeps_the_limit_and_the_verdict(case):
    case.put("a.txt", b"\xe9" * 7000 + b"\nx = 1\n")
    server = case.server()
    for answer in (server.call("edit", path="a.txt", old_str="x = 1", new_str="x = 2")[0],
                   server.call("context", path="a.txt", line=2)[0]):  # client.py checks the size
        check("a.txt is not UTF-8 text" in answer.split("\n")[0] or "applied" in answer.split("\n")[0], answer[:300])
        check(case.root not in answer, answer[:300])


def edit_replaces_creates_and_refuses(case):
    case.put("a.txt", "x x\r\ny")
    server = case.server()
    text = server.done("edit", path="a.txt", old_str="y", new_str="z")
    check(text.startswith("applied 1 hunk in 1 file; syntax not checked, not built, written to the disk\n"), text)
    check("x" in server.refused("edit", path="a.txt", old_str="x", new_str="w"), "twice")
    server.done("edit", path="a.txt", old_str="x", new_str="w", replace_all="true")
    with open(case.path("a.txt"), "rb") as file:
        check(file.read() == b"w w\r\nz", "line ends")
    server.done("edit", path="new/b.txt", old_str="", new_str="hello\n")
    with open(case.path("new/b.txt"), "rb") as file:  # as its neighbour
        check(file.read() == b"hello\r\n", "not created")
    server.refused("edit", path="new/b.txt", old_str="", new_str="again\n")
    server.done("edit", path=case.path("new/b.txt"), old_str="hello", new_str="bye")
    check(case.get("new/b.txt") == "bye\r\n", "an absolute path")


def new_syntax_errors_and_files_that_run_commands_are_named(case):
    case.put("a.py", FUNCTION)
    server = case.server()
    text = server.done("edit", path="a.py", old_str="def twice(x):", new_str="def twice(x:")
    check("1 new syntax error" in text.split("\n")[0] and "new syntax error: a.py line" in text, text)
    text = server.done("edit", path="Makefile", old_str="", new_str="all:\n\ttrue\n")
    check("caution: Makefile: runs commands" in text, text)


def undo_works_in_another_process_and_only_once(case):
    case.put("a.py", FUNCTION)
    case.put("old.py", "x = 1\n")
    first = case.server()
    text = first.done("apply_patch", patch="*** Begin Patch\n*** Update File: a.py\n@@\n-def area(r):\n+def area(q):\n"
                      "*** Update File: old.py\n*** Move to: new.py\n@@\n-x = 1\n+x = 2\n*** End Patch\n")
    change = id_in(text, "change")
    first.close()
    other = case.server(modern=True)
    case.put("new.py", "x = 3\n")
    text = other.refused("undo", change=change)
    check("new.py has changed since" in text and "q" in case.get("a.py"), text)
    case.put("new.py", "x = 2\n")
    other.done("undo", change=change)
    check(case.get("a.py") == FUNCTION and case.get("old.py") == "x = 1\n", "not undone")
    check(not os.path.exists(case.path("new.py")), "not moved back")
    check("no such change" in other.refused("undo", change=change), "twice")
    for wrong in ("", "../../x", "0" * 16, change.upper()):
        other.refused("undo", change=wrong)
    kept = os.listdir(case.state())
    check(not kept, "left in the state folder: %r" % kept)


def undo_keeps_who_may_read_a_file(case):
    server = case.server()
    for mode in (0o600, 0o755):
        case.put("run.sh", "#!/bin/sh\n")
        os.chmod(case.path("run.sh"), mode)
        text = server.done("apply_patch", patch="*** Begin Patch\n*** Delete File: run.sh\n*** End Patch\n")
        server.done("undo", change=id_in(text, "change"))
        check(os.stat(case.path("run.sh")).st_mode & 0o777 == mode, oct(os.stat(case.path("run.sh")).st_mode))


def undo_follows_no_link_that_points_elsewhere_now(case):
    for name, text in (("one.txt", "old\n"), ("other.txt", "new\n")):
        case.put(name, text)
    os.symlink("one.txt", case.path("link.txt"))
    server = case.server()
    text = server.done("edit", path="link.txt", old_str="old", new_str="new")
    os.remove(case.path("link.txt"))
    os.symlink("other.txt", case.path("link.txt"))
    server.done("undo", change=id_in(text, "change"))
    check((case.get("one.txt"), case.get("other.txt")) == ("old\n", "new\n"), "another file was changed")


def a_folder_without_sources_says_what_it_has(case):
    case.put("docs/a.txt", "a\n")
    case.put("docs/b.csv", "1,2\n")
    text = case.server().refused("outline", path="docs")
    check(text == "No source files below docs; there are docs/a.txt, docs/b.csv.\n", text)


def what_is_not_text_is_not_edited(case):
    server = case.server()
    for data in ("ab\n".encode("utf-16") + b"x", b"a\0b\n"):
        case.put("a.txt", data)
        text = server.refused("edit", path="a.txt", old_str="b", new_str="c\nd")
        check(("zero bytes" in text or "UTF-16" in text) and open(case.path("a.txt"), "rb").read() == data, text)
    server.done("apply_patch", patch="*** Begin Patch\n*** Delete File: a.txt\n*** End Patch\n")


def utf_16_is_edited_as_utf_16(case):
    server = case.server()
    for coding in ("utf-16-le", "utf-16-be"):
        case.put("a.txt", "\ufeffa\nb\n".encode(coding))
        server.done("edit", path="a.txt", old_str="b", new_str="\u65e5")
        check(open(case.path("a.txt"), "rb").read() == "\ufeffa\n\u65e5\n".encode(coding), coding)


def a_change_belongs_to_its_folder_and_is_private(case):
    case.put("one/a.txt", "1\n")
    case.put("two/a.txt", "1\n")
    change = id_in(case.server("--root", case.path("one")).done("edit", path="a.txt", old_str="1", new_str="2"), "change")
    case.put("two/a.txt", "2\n")
    case.server("--root", case.path("two")).refused("undo", change=change)
    check(case.get("two/a.txt") == "2\n", "another folder was changed")
    folder = os.path.dirname(case.state())
    logs = [name for name in os.listdir(folder) if name.startswith("history.db")]
    check("history.db" in logs, str(logs))
    for name in logs:
        check(os.stat(os.path.join(folder, name)).st_mode & 0o777 == 0o600, name)


def a_file_whose_text_stays_is_not_written(case):
    case.put("a.txt", "one\n")
    case.put("b.txt", "one\n")
    before = os.stat(case.path("a.txt"))
    case.server().done("apply_patch", patch=block("a.txt", "one\n", "one\n") + block("b.txt", "one\n", "two\n"))
    after = os.stat(case.path("a.txt"))
    check((before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino), "a.txt was written")
    check(case.get("b.txt") == "two\n", "b.txt was not")


def a_read_only_sandbox_gets_the_diff_only(case):
    case.put("a.txt", "one\n")
    server = case.server()
    change = id_in(server.done("edit", path="a.txt", old_str="one", new_str="two"), "change")
    for turn in ({"sandbox_mode": "read-only"}, json.dumps({"sandbox_mode": "read-only"})):
        meta = {"x-codex-turn-metadata": turn}
        for tool, arguments in (("edit", {"path": "a.txt", "old_str": "two", "new_str": "three"}),
                                ("apply_patch", {"patch": block("a.txt", "two\n", "three\n")})):
            text, failed = server.finished(server.start_call(tool, arguments, _meta=meta))
            check(failed and "read-only" in text.split("\n")[0] and "+three" in text, text)
        text, failed = server.finished(server.start_call("undo", {"change": change}, _meta=meta))
        check(failed and "read-only" in text, text)
    check(case.get("a.txt") == "two\n", "changed")


def nothing_outside_and_nothing_private(case):
    case.put("root/a.py", FUNCTION)
    case.put("root/.env", "PASSWORD=hunter2hunter2\n")
    case.put("root/.bodkinignore", "secret/\n")
    case.put("root/secret/s.py", "def hidden():\n    return 42\n")
    case.put("root/.git/config", "[core]\n")
    case.put("out.py", FUNCTION)
    os.symlink(case.path("out.py"), case.path("root/link.py"))
    os.symlink(case.root, case.path("root/up"))
    os.symlink("secret/s.py", case.path("root/alias.py"))
    server = case.server("--root", case.path("root"))
    lines = {".env": "PASSWORD=hunter2hunter2", ".git/config": "[core]", "secret/s.py": "def hidden():",
             "alias.py": "def hidden():"}
    for path in ("../out.py", "link.py", "up/out.py", case.path("out.py"), ".git/config", ".env", "secret/s.py", "alias.py"):
        old = lines.get(path, "def area(r):")
        for tool, arguments in (("edit", {"path": path, "old_str": old, "new_str": "x"}),
                                ("apply_patch", {"patch": block(path, old + "\n", "x\n")}),
                                ("check_patch", {"patch": block(path, old + "\n", "x\n")}),
                                ("verify", {"patch": block(path, old + "\n", "x\n")}),
                                ("outline", {"path": path}), ("context", {"path": path, "line": 1}),
                                ("read_symbol", {"path": path, "line": 1})):
            text = server.refused(tool, **arguments)
            check("42" not in text and "3.14" not in text and "return" not in text, "%s %s: %s" % (tool, path, text))
    text = server.done("outline")
    check("a.py" in text and "hidden" not in text and "out.py" not in text, text)
    server.refused("read_symbol", name="hidden")
    for path in (".env.local", "secret/new.py", "up/new.py", "../new.py"):
        server.refused("edit", path=path, old_str="", new_str="x\n")
    check(case.get("out.py") == FUNCTION and "hunter2" in case.get("root/.env"), "changed")
    check(sorted(os.listdir(case.root)) == ["out.py", "root"], repr(os.listdir(case.root)))


def secrets_are_placeholders_and_stay(case):
    source = 'def login():\n    token = "%s"\n    return call(token)\n' % TOKEN
    case.put("a.py", source)
    server = case.server()
    text = server.done("read_symbol", path="a.py", line=1)
    check(TOKEN not in text and "token = " in text, text)
    check(TOKEN not in server.done("context", path="a.py", line=1), "context")
    line = next(re.sub(r"^\s*\d+\W", "", each) for each in text.split("\n") if "token = " in each)
    line = "    " + line.strip()
    text = server.done("apply_patch", patch=block("a.py", "%s\n    return call(token)\n" % line, "%s\n    return 1\n" % line))
    check(TOKEN not in text, text)
    check(case.get("a.py") == source.replace("call(token)", "1"), case.get("a.py"))
    text = server.done("edit", path="a.py", old_str="def login():", new_str="def log_in():")
    check(TOKEN not in text and TOKEN in case.get("a.py"), text)


def permissions_of_the_settings_hold(case):
    case.put("db/a.sql", "one\n")
    case.put("x.lock", "one\n")
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "bodkin")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "settings.json"), "w") as file:
        json.dump({"bodkin.agent.permissions": {"edit": {"db/**": "ask", "*.lock": "deny"}}}, file)
    server = case.server()
    check("denies" in server.refused("edit", path="x.lock", old_str="one", new_str="two"), "denied")
    check("cannot ask" in server.refused("edit", path="db/a.sql", old_str="one", new_str="two"), "ask")
    os.unlink(os.path.join(folder, "settings.json"))


def what_may_not_be_read_is_not_quoted(case):
    case.put("a.py", FUNCTION)
    case.put("b.py", "from a import area\n\n\ndef both(x):\n    return area(x) + 1\n")
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "bodkin")
    os.makedirs(folder, exist_ok=True)
    for rule, words in (("deny", "denies"), ("ask", "cannot ask"), ({"*": "allow"}, "denies")):
        with open(os.path.join(folder, "settings.json"), "w") as file:
            json.dump({"bodkin.agent.permissions": {"read": rule}}, file)
        case.put("a.py", FUNCTION)
        server = case.server()
        for tool, more in (("context", {"path": "b.py", "line": 5}), ("outline", {}), ("outline", {"path": "a.py"}),
                           ("read_symbol", {"name": "area"}), ("read_symbol", {"path": "a.py", "line": 1}),
                           ("verify", {"patch": block("a.py", "def twice(x):\n", "def two(x):\n")})):
            text = server.refused(tool, **more)
            check(words in text and "area" not in text.replace("agent", ""), "%s: %s" % (tool, text))
        # Close to the lines, far from them, twice there, and lines that hold a place but for blanks.
        for old in ("    return 3.15 * r * s\n", "nothing\n", "def \n", "def area(r):\n    return 3.14 * r\n", "\n\n", "def area(r):  \nreturn 3.14 * r * r\n"):
            for tool, more in (("check_patch", {"patch": block("a.py", old, "x\n")}), ("apply_patch", {"patch": block("a.py", old, "x\n")}),
                               ("edit", {"path": "a.py", "old_str": old, "new_str": "x\n"})):
                text = server.call(tool, **more)[0]
                check("3.14" not in text and "return" not in text and "twice" not in text, "%s %r: %s" % (tool, old, text))
        case.put("a.py", FUNCTION)
        text = server.done("apply_patch", patch=block("a.py", "def twice(x):\n", "def twice(x:\n"))
        check("1 new syntax error" in text and "return" not in text and "area" not in text, text)
        text = server.done("undo", change=id_in(text, "change"))
        check("return" not in text and case.get("a.py") == FUNCTION, text)
        server.close()
    os.unlink(os.path.join(folder, "settings.json"))


def symbols_are_found_by_name_and_by_line(case):
    case.put("src/a.py", FUNCTION)
    case.put("src/b.py", "from a import area\n\n\ndef both(x):\n    return area(x) + 1\n")
    server = case.server()
    text = server.done("read_symbol", name="twice")
    check("src/a.py" in text.split("\n")[0] and "return area(x) * 2" in text, text)
    check("def area" in server.done("read_symbol", path="src/a.py", line=2), "by line")
    check("both" in server.done("outline", path="src/b.py"), "outline")
    text = server.done("context", path="src/b.py", line=5)
    check(text.startswith("src/b.py line 5, in function both (lines 4-5)") and "def area(r)" in text, text)
    case.put("src/c.py", "def fresh():\n    return 0\n")
    server.done("edit", path="src/d.py", old_str="", new_str="def made():\n    return 0\n")
    for path in ("src/none.py", "src"):
        server.refused("context", path=path, line=1)
    check("has only 5 lines" in server.refused("context", path="src/b.py", line=9), "a line beyond the end")
    server.refused("read_symbol", path="src/b.py", line=-1)
    server.refused("read_symbol")
    text = server.refused("read_symbol", name="nowhere_at_all") + server.refused("read_symbol", path="src/b.py", line=2)
    check("grep_search" not in text and "read_file" not in text, "names of tools that an agent does not have: " + text)


def long_answers_keep_their_ends(case):
    lines = ["line %d äöü" % i for i in range(3000)]
    case.put("a.txt", "\n".join(lines) + "\n")
    server = case.server()
    text = server.done("edit", path="a.txt", old_str="line", new_str="Zeile", replace_all=True)
    check(text.startswith("applied ") and "are left out here]" in text, text[:200])
    server.done("undo", change=id_in(text, "change"))


def the_list_of_private_files_is_the_user_s(case):
    case.put(".bodkinignore", "hidden.py\n")
    case.put("hidden.py", "x = 4711\n")
    os.symlink(".bodkinignore", case.path("link.txt"))
    server = case.server()
    for patch in ("*** Begin Patch\n*** Delete File: .bodkinignore\n*** End Patch\n",
                  "*** Begin Patch\n*** Update File: .bodkinignore\n*** Move to: a.txt\n*** End Patch\n",
                  block(".bodkinignore", "hidden.py\n", "other.py\n"), block("link.txt", "hidden.py\n", "other.py\n"),
                  "*** Begin Patch\n*** Add File: sub/.bodkinignore\n+!a\n*** End Patch\n"):
        check("only the user" in server.refused("apply_patch", patch=patch), patch)
        check("4711" not in server.refused("context", path="hidden.py", line=1), patch)


def a_caution_is_told_of_what_is_removed_and_behind_a_link(case):
    case.put("Makefile", "all:\n")
    os.symlink("Makefile", case.path("a.txt"))
    server = case.server()
    for patch in (block("a.txt", "all:\n", "all: x\n"),
                  "*** Begin Patch\n*** Update File: Makefile\n*** Move to: b.txt\n*** End Patch\n",
                  "*** Begin Patch\n*** Delete File: Makefile\n*** End Patch\n"):
        check("runs commands when you build" in server.done("check_patch", patch=patch), patch)


def a_file_that_is_too_large_is_not_read(case):
    with open(case.path("a.txt"), "wb") as file:
        file.truncate(500 << 20)  # takes no disk, but would take minutes
    server = case.server()
    for tool in ("check_patch", "apply_patch"):
        check("larger than 32 MB" in server.refused(tool, patch=block("a.txt", "x\n", "y\n")), "read")
    check(os.path.getsize(case.path("a.txt")) == 500 << 20, "changed")


def verify_answers_as_the_command_does(case):
    case.put("data.json", '{"a": 1}\n')
    server = case.server()
    result = json.loads(server.done("verify", patch=block("data.json", '{"a": 1}\n', '{"a": 2}\n')))
    check(result["state"] == "clean" and list(result)[0] == "state" and result["by"], repr(result))
    result = json.loads(server.done("verify", path="data.json",
                                    patch='<<<<<<< SEARCH\n{"a": 1}\n=======\n{"a": \n>>>>>>> REPLACE\n'))
    check(result["state"] == "problems" and result["new"][0]["path"] == "data.json", repr(result))
    check(set(result) == {"state", "by", "reason", "new", "fixed", "remaining", "ms"}, repr(result))
    check(server.refused("verify", patch=block("data.json", "x\n", "y\n")).startswith("not placed: "), "not placed")
    check(case.get("data.json") == '{"a": 1}\n', "changed")


def two_processes_and_many_calls_at_once_lose_nothing(case):
    count = 12
    case.put("a.txt", "".join("line %d.\n" % i for i in range(2 * count)))
    servers = [case.server(modern=modern) for modern in (False, True)]
    results = [[], []]

    def work(index):
        server = servers[index]
        ids = [server.start_call("edit", {"path": "a.txt", "old_str": "line %d." % (2 * i + index),
                                          "new_str": "done %d." % (2 * i + index)}) for i in range(count)]
        results[index] = [server.finished(id) for id in ids]
    threads = [threading.Thread(target=work, args=(index,)) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check([len(r) for r in results] == [count, count], "an answer is missing")
    check(not [r for r in results[0] + results[1] if r[1]], repr([r for r in results[0] + results[1] if r[1]])[:500])
    check(case.get("a.txt") == "".join("done %d.\n" % i for i in range(2 * count)), case.get("a.txt"))
    check(os.listdir(case.root) == ["a.txt"], repr(os.listdir(case.root)))


def an_untrusted_folder_is_never_run(case):
    """What the folder's files name as a server of their own is not started, trusted or not."""
    case.put("a.py", "x = 1\n")
    case.put("bin/pyright-langserver", "#!/bin/sh\ntouch %s\n" % case.path("started"))
    os.chmod(case.path("bin/pyright-langserver"), 0o755)
    server = case.server(env={"PATH": case.path("bin") + ":" + os.environ["PATH"]})
    server.done("verify", patch=block("a.py", "x = 1\n", "x = 2\n"))
    check(not os.path.exists(case.path("started")), "it was started")


def the_base_of_many_files_is_short(case):
    server = case.server()
    for count in (20, 21, 100):
        names = ["d%d/f%03d.py" % (count, i) for i in range(count)]
        for name in names:
            case.put(name, "def f():\n    return 0\n")
        patch = "*** Begin Patch\n%s*** End Patch\n" % "".join(
            "*** Update File: %s\n@@\n def f():\n-   return 0\n+   return 1\n" % name for name in names)
        base = id_in(server.done("check_patch", patch=patch), "base")
        case.put(names[7], "def f():\n    return 0\n\n")
        check("as it was" in server.refused("apply_patch", patch=patch, base=base).replace("as they were", "as it was"), base)
        case.put(names[7], "def f():\n    return 0\n")
        server.done("apply_patch", patch=patch, base=base)
        check({case.get(name) for name in names} == {"def f():\n    return 1\n"}, "not all are written")


def what_is_no_base_id_is_called_so(case):
    case.put("a.py", FUNCTION)
    server = case.server()
    for base in ("nonsense", "0123", "all-", "0123456789abcdef,x"):
        text = server.refused("apply_patch", patch=block("a.py", "def twice(x):\n", "def two(x):\n"), base=base)
        check("that is not a base id" in text and "as it was" not in text, text)


def a_path_may_be_spelled_as_models_do(case):
    case.put("a.py", FUNCTION)
    case.put("sub/b.py", FUNCTION)
    server = case.server()
    for path in ("./a.py", "sub/../a.py", "sub//b.py", "sub/./b.py", case.path("a.py"), "file://" + case.path("a.py"), ".//a.py"):
        for tool, more in (("context", {"line": 1}), ("outline", {}), ("read_symbol", {"line": 1})):
            check("area" in server.done(tool, path=path, **more), (tool, path))
        server.done("edit", path=path, old_str="area(x) * 2", new_str="2 * area(x)")
        server.done("edit", path=path, old_str="2 * area(x)", new_str="area(x) * 2")
    for path in ("../a.py", "sub/../../root/a.py", "file:///etc/passwd"):
        server.refused("context", path=path, line=1)


def modes_are_not_set_and_links_are_not_made(case):
    case.put("p.sh", "echo 1\n")
    server = case.server()
    head = "diff --git a/%s b/%s\n"
    new = "--- /dev/null\n+++ b/%s\n@@ -0,0 +1 @@\n+%s\n"
    text = server.done("apply_patch", patch=head % ("p.sh", "p.sh") + "old mode 100644\nnew mode 100755\n--- a/p.sh\n+++ b/p.sh\n"
                       "@@ -1 +1 @@\n-echo 1\n+echo 2\n")
    check("The modes in the diff (100755) are not set" in text and case.get("p.sh") == "echo 2\n", text)
    text = server.done("apply_patch", patch=head % ("n.sh", "n.sh") + "new file mode 100755\n" + new % ("n.sh", "echo 1"))
    check("(100755) are not set" in text, text)
    text = server.done("apply_patch", patch=head % ("m.sh", "m.sh") + "new file mode 100644\n" + new % ("m.sh", "echo 1"))
    check("modes" not in text, text)
    text = server.refused("apply_patch", patch=head % ("p.sh", "p.sh") + "old mode 100644\nnew mode 100755\n")
    check("changes only modes" in text, text)
    for mode, words in (("120000", "symbolic link"), ("160000", "submodule")):
        for tool in ("check_patch", "apply_patch"):
            text = server.refused(tool, patch=head % ("l", "l") + "new file mode %s\n" % mode + new % ("l", "p.sh"))
            check(words in text and not os.path.lexists(case.path("l")), text)


def undo_removes_the_folders_that_were_made(case):
    case.put("old/a.py", FUNCTION)
    server = case.server()
    change = id_in(server.done("edit", path="x/y/n.py", old_str="", new_str="n = 1\n"), "change")
    server.done("undo", change=change)
    check(not os.path.exists(case.path("x")), os.listdir(case.root))
    change = id_in(server.done("apply_patch", patch="*** Begin Patch\n*** Update File: old/a.py\n*** Move to: z/w/a.py\n@@\n"
                               "-def twice(x):\n+def two(x):\n*** Add File: x/y/n.py\n+n = 1\n*** End Patch\n"), "change")
    case.put("x/mine.txt", "mine\n")
    server.done("undo", change=change)
    check(os.listdir(case.path("x")) == ["mine.txt"] and not os.path.exists(case.path("z")), os.listdir(case.path("x")))
    check(case.get("old/a.py") == FUNCTION, "not undone")


def an_empty_file_is_filled(case):
    case.put("empty.py", "")
    server = case.server()
    text = server.done("edit", path="empty.py", old_str="", new_str="x = 1\n")
    check(case.get("empty.py") == "x = 1\n" and "changed empty.py" in text, text)
    text = server.refused("edit", path="empty.py", old_str="", new_str="x = 2\n")
    check("quote in old_str" in text and case.get("empty.py") == "x = 1\n", text)


# What agents, editors, git and shells run by themselves (tests/agent/ask/cautions.cpp has the whole list).
ACTING = (".claude/settings.json", ".mcp.json", ".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json", "opencode.json",
          ".vscode/tasks.json", "sub/.vscode/settings.json", ".nvim.lua", "sub/HEAD", "mise.toml", ".husky/pre-commit", ".CLAUDE/x.json")


def what_agents_run_by_themselves_is_not_written_but_kept_for_the_user(case):
    for modern in (False, True):
        server = case.server(modern=modern)
        for path in ACTING:
            text = server.refused("edit", path=path, old_str="", new_str="evil\n")
            check("only the user may change this" in text, text)
            check(not os.path.exists(case.path(path)), path + " was written")
        command = re.search(r"bodkin apply (p0-[0-9a-f]{16})$", text, re.M)
        check(command, text)
        for more, is_there in ((["--diff"], False), ([], True), ([], True)):
            done = subprocess.run([case.program, "apply", *more, command.group(1)], cwd="/", capture_output=True, text=True)
            check(os.path.exists(case.path(path)) == is_there, "%r: %r" % (more, done))
        check(done.returncode == 0 and "already in place" in done.stdout, "it was applied twice: %r" % done)
        shutil.rmtree(case.path(os.path.dirname(path)))
        text = server.refused("apply_patch", patch=block("a.py", "", "x = 1\n") + block(".mcp.json", "", "{}\n"))
        check(not os.path.exists(case.path("a.py")), text)
        case.put(".mcp.json", "{}\n")
        server.refused("apply_patch", patch="*** Begin Patch\n*** Delete File: .mcp.json\n*** End Patch\n")
        server.refused("apply_patch", patch="*** Begin Patch\n*** Update File: .mcp.json\n*** Move to: x.json\n@@\n-{}\n+[]\n"
                       "*** End Patch\n")
        check(case.get(".mcp.json") == "{}\n", "changed")
        os.remove(case.path(".mcp.json"))
        server.close()


def a_change_kept_for_the_user_is_made_of_what_they_were_asked_for_or_not_at_all(case):
    case.put(".nvim.lua", "a\n")
    server = case.server()
    text = server.refused("edit", path=".nvim.lua", old_str="a\n", new_str="b\n")
    id = re.search(r"bodkin apply (p0-[0-9a-f]{16})$", text, re.M).group(1)
    case.put(".nvim.lua", "a\nc\n")
    done = subprocess.run([case.program, "apply", id], cwd=case.root, capture_output=True, text=True)
    check(done.returncode == 1 and "changed since" in done.stderr and case.get(".nvim.lua") == "a\nc\n", repr(done))


def what_waits_for_the_user_pushes_nothing_out_of_the_log(case):
    """An agent that is refused again and again, or says the same again."""
    case.put("own.txt", "a\n")
    case.put(".nvim.lua", "a\n")
    own = subprocess.run([case.program, "apply", "--json"], cwd=case.root, input=block("own.txt", "a\n", "b\n"), capture_output=True,
                         text=True)
    own = json.loads(own.stdout)["undo"].split()[2]
    server = case.server()
    ids = set()
    for i in range(64):
        text = server.refused("edit", path=".nvim.lua", old_str="a\n", new_str="b%d\n" % i)
        same = server.refused("edit", path=".nvim.lua", old_str="a\n", new_str="b%d\n" % i)
        check(id_of_asked(text) == id_of_asked(same), same)
        ids.add(id_of_asked(text))
    check(len(ids) == 64, "%d ids" % len(ids))
    known = json.loads(subprocess.run([case.program, "history", "--json"], cwd=case.root, capture_output=True, text=True).stdout)
    check(own in [each["id"] for each in known] and 50 <= len(known) <= 61, str([each["id"] for each in known]))
    done = subprocess.run([case.program, "undo"], cwd=case.root, capture_output=True, text=True)
    check(done.returncode == 0 and case.get("own.txt") == "a\n", repr(done))
    # Applied by its id, once; then it is in place, which the same command says.
    for words in ("changed .nvim.lua", "already in place"):
        done = subprocess.run([case.program, "apply", id_of_asked(text)], cwd=case.root, capture_output=True, text=True)
        check(done.returncode == 0 and words in done.stdout and case.get(".nvim.lua") == "b63\n", repr(done))
    # As after a run that was killed between the log and the files.
    case.put(".nvim.lua", "a\n")
    done = subprocess.run([case.program, "apply", id_of_asked(text)], cwd=case.root, capture_output=True, text=True)
    check(done.returncode == 0 and case.get(".nvim.lua") == "b63\n", repr(done))


def id_of_asked(text):
    return re.search(r"bodkin apply (p0-[0-9a-f]{16})$", text, re.M).group(1)


def a_link_or_a_folder_of_an_agent_is_no_way_around_the_users_word(case):
    case.put(".claude/settings.json", "{}\n")
    case.put("bare/HEAD", "ref: refs/heads/main\n")
    case.put("bare/config", "[core]\n")
    os.symlink(".claude/settings.json", case.path("notes.txt"))
    os.symlink(".claude", case.path("docs"))
    server = case.server()
    for path in ("notes.txt", "docs/settings.json"):
        server.refused("edit", path=path, old_str="{}", new_str="[]")
    server.refused("edit", path="bare/config", old_str="[core]", new_str="[core]\nfsmonitor = evil")
    check(case.get(".claude/settings.json") == "{}\n" and case.get("bare/config") == "[core]\n", "written")
    inside = Case(case.program, case.path(".claude"))
    try:
        inside.server().refused("edit", path="settings.json", old_str="{}", new_str="[]")
        check(case.get(".claude/settings.json") == "{}\n", "written")
        # A worktree in an agent's folder is somebody's project.
        case.put(".claude/worktrees/w/.git", "gitdir: x\n")
        case.put(".claude/worktrees/w/a.py", FUNCTION)
        worktree = Case(case.program, case.path(".claude/worktrees/w"))
        worktree.server().done("edit", path="a.py", old_str="3.14", new_str="3")
        worktree.close()
    finally:
        inside.close()


def what_a_name_that_runs_leads_to_needs_the_users_word_by_its_own_name_too(case):
    for folder in ("settings", "dotfiles/nvim", ".claude", ".git", "scripts", "plain"):
        os.makedirs(case.path(folder))
    case.put("settings/agent.json", "{}\n")
    os.symlink("../settings/agent.json", case.path(".claude/settings.json"))
    os.symlink("settings/later.json", case.path("opencode.json"))
    case.put("hard.json", "{}\n")
    os.link(case.path("hard.json"), case.path(".mcp.json"))
    os.makedirs(case.path(".git/hooks"))
    os.symlink("../../scripts/before.sh", case.path(".git/hooks/pre-commit"))
    case.put(".git/config", '[core]\n\thooksPath = "my hooks"\n\tfsmonitor = scripts/watch.sh --all\n'
             "[include]\n\tpath = ../plain/git\n[filter \"x\"]\n\tclean = sh ./scripts/clean.sh %f\n")
    case.put("plain/git", "[alias]\n\tx = !scripts/alias.sh\n")
    home = os.environ["HOME"]
    os.makedirs(os.path.join(home, ".config"))
    os.symlink(case.path("dotfiles/nvim"), os.path.join(home, ".config", "nvim"))
    os.symlink(case.path("dotfiles/bashrc"), os.path.join(home, ".bashrc"))
    server = case.server()
    for path in ("settings/agent.json", "hard.json"):
        text = server.refused("edit", path=path, old_str="{}", new_str="[]")
        check("only the user may change this" in text and case.get(path) == "{}\n", text)
    for path in ("settings/later.json", "my hooks/pre-push", "scripts/watch.sh", "scripts/clean.sh", "scripts/alias.sh",
                 "scripts/before.sh", "dotfiles/nvim/lua/x.lua", "dotfiles/bashrc"):
        text = server.refused("edit", path=path, old_str="", new_str="evil\n")
        check("only the user may change this" in text and not os.path.exists(case.path(path)), path + ": " + text)
    text = server.refused("edit", path="plain/git", old_str="[alias]", new_str="[core]")
    check("git's configuration" in text, text)
    for path in ("scripts/other.sh", "plain/README.md", "settings/a.json", "dotfiles/other"):
        server.done("edit", path=path, old_str="", new_str="harmless\n")


def what_gits_configuration_names_is_read_as_git_reads_it(case):
    os.makedirs(case.path(".git"))
    settings = [
        ('[core]\n\thooksPath = "my#hooks"\n', "my#hooks/pre-commit"),
        ('[core] hooksPath = "my;hooks" ; comment\n', "my;hooks/pre-commit"),
        ("[core]\n\thooksPath = my\\\nhooks # comment\n", "myhooks/pre-commit"),
        ("[core]\n\tattributesFile = attributes\n", "attributes"),
        ("[core]\n\tpager = sh -c \\\"tools/p -x\\\"\n", "tools/p"),
        ('[core]\n\tfsmonitor = "sh watch"\n', "watch"),
        ('[core]\n\tsshCommand = "F=./q;sh ${PWD}/tools/ssh"\n', "tools/ssh"),
        ('[filter "x"]\n\tclean = \\"./tools/q\\" %f\n', "tools/q"),
        ('[filter "x"]\n\tclean = "\\"./my tools/q\\" %f"\n', "my tools/q"),
        ('[filter "x"]\n\tclean = \\"$(git rev-parse --show-toplevel)\\"/tools/cl\n', "tools/cl"),
        ('[filter "x"]\n\tclean = bash -x<tools/in\n', "tools/in"),
        ("[include]\n\tpath = ../more\n", "more"),
        ('[includeIf "onbranch:x"]\n\tpath = ../team\n', "team"),
        ("[init]\n\ttemplateDir = template\n", "template/hooks/post-checkout"),
        ('[alias]\n\tu = "!cd sub && sh run"\n', "sub/run"),
    ]
    for text, path in settings:
        case.put(".git/config", text)
        server = case.server()
        answer = server.refused("edit", path=path, old_str="", new_str="evil\n")
        check("is named in git's configuration" in answer and not os.path.exists(case.path(path)), path + ": " + answer)
    case.put(".git/config", '[user]\n\tname = Jo Main\n[alias]\n\tl = log -p\n[core]\n\tpager = less # tools/a\n\tbare = false\n')
    server = case.server()
    for path in ("Main", "log", "less", "tools/a"):
        server.done("edit", path=path, old_str="", new_str="harmless\n")


def the_user_is_asked_where_the_client_can_ask(case):
    edit = {"path": ".mcp.json", "old_str": "", "new_str": "{}\n"}
    refusals = ({"action": "decline"}, {"action": "cancel"}, {"action": "accept"}, {"action": "accept", "content": {"apply": False}},
                {"action": "accept", "content": {"apply": "true"}}, {})
    yes = {"action": "accept", "content": {"apply": True}}
    server = case.server(capabilities={"elicitation": {}})
    for said in (*refusals, yes):
        id = server.start_call("edit", edit)
        asked = server.message()
        check(asked["method"] == "elicitation/create" and ".mcp.json" in asked["params"]["message"] and
              "+{}" in asked["params"]["message"], repr(asked))
        check(not os.path.exists(case.path(".mcp.json")), "written before the answer")
        server.send(id=asked["id"], result=said)
        text, is_error = server.finished(id)
        check(os.path.exists(case.path(".mcp.json")) == (said is yes) and is_error == (said is not yes), text)
    # Taking it back removes what runs, and needs the word, too.
    id = server.start_call("undo", {"change": id_in(text, "change")})
    server.send(id=server.message()["id"], result=yes)
    text, is_error = server.finished(id)
    check(not is_error and not os.path.exists(case.path(".mcp.json")), text)
    # A client that cannot after all.
    id = server.start_call("edit", edit)
    server.send(id=server.message()["id"], error={"code": -32601, "message": "Unknown"})
    text, is_error = server.finished(id)
    check(is_error and "bodkin apply" in text and not os.path.exists(case.path(".mcp.json")), text)
    # A cancelled call takes its question back.
    id = server.start_call("edit", edit)
    asked = server.message()
    server.notify("notifications/cancelled", requestId=id)
    gone = server.message()
    check(gone["method"] == "notifications/cancelled" and gone["params"]["requestId"] == asked["id"], repr(gone))
    server.close()

    server = case.server(modern=True, capabilities={"elicitation": {"form": {}}, "roots": {}})
    roots = {"roots": {"roots": [{"uri": "file://" + case.root}]}}
    call = {"name": "edit", "arguments": edit}
    asked = server.request("tools/call", {**call, "inputResponses": roots})
    check(set(asked["inputRequests"]) == {"user", "roots"}, repr(asked))
    for said in refusals:
        server.request("tools/call", {**call, "inputResponses": {**roots, "user": said}, "requestState": asked["requestState"]})
        check(not os.path.exists(case.path(".mcp.json")), repr(said))
    # The word is for one change.
    other = {"name": "edit", "arguments": {**edit, "new_str": "[]\n"}}
    again = server.request("tools/call", {**other, "inputResponses": {**roots, "user": yes}, "requestState": asked["requestState"]})
    check(again["resultType"] == "input_required" and not os.path.exists(case.path(".mcp.json")), repr(again))
    server.request("tools/call", {**call, "inputResponses": {**roots, "user": yes}, "requestState": asked["requestState"]})
    check(case.get(".mcp.json") == "{}\n", "not written")


def too_many_open_files_are_told_as_such_and_nothing_is_written(case):
    case.put("sub/a.py", "x = 1\n")
    server = case.server()
    server.done("edit", path="sub/a.py", old_str="x = 1", new_str="x = 2")
    files = len(os.listdir("/proc/%d/fd" % server.process.pid))
    for more in range(40):
        case.put("sub/a.py", "x = 1\n")
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (files + more, 4096))
        id = server.start_call("edit", {"path": "sub/a.py", "old_str": "x = 1", "new_str": "x = 3"})
        text, is_error = server.finished(id)
        if not is_error:
            return check(more > 0 and case.get("sub/a.py") == "x = 3\n", text)
        check("Too many open files" in text and case.get("sub/a.py") == "x = 1\n", "%d more: %s" % (more, text))
    check(False, "it was never written")


def bad_settings_are_told_once(case):
    case.put("a.py", FUNCTION)
    folder = os.path.join(os.environ["XDG_CONFIG_HOME"], "bodkin")
    os.makedirs(folder)
    with open(os.path.join(folder, "settings.json"), "w", encoding="utf-8") as out:
        out.write('{"agent.permissions": {"edti": "deny"}}')
    server = case.server()
    first = server.refused("outline", path="a.py")  # a rule that is not understood may be one that denies
    check("settings: " in first and "edti" in first, first)
    check("settings: " not in server.refused("outline", path="a.py"), "told again")
    server.close()
    check(b"bodkin mcp: settings: " in server.errors and b"edti" in server.errors, server.errors)
