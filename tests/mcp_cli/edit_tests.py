"""Edits by `bodkin mcp`: where they are placed, and which need the base that the model has read."""
import os
import re

from cli_support import block, check

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


def an_empty_file_is_filled(case):
    case.put("empty.py", "")
    server = case.server()
    text = server.done("edit", path="empty.py", old_str="", new_str="x = 1\n")
    check(case.get("empty.py") == "x = 1\n" and "changed empty.py" in text, text)
    text = server.refused("edit", path="empty.py", old_str="", new_str="x = 2\n")
    check("quote in old_str" in text and case.get("empty.py") == "x = 1\n", text)
