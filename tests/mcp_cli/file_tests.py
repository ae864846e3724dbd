"""Which files `bodkin mcp` edits, shows and keeps back, and the log of its changes."""
import json
import os
import re
import resource
import shutil

from cli_support import block, check
from edit_tests import FUNCTION, TOKEN, id_in


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


def each_list_above_and_below_counts(case):
    case.put("top/.bodkinignore", "priv.py\n/sub/listed/\n!priv.py/x\n")
    case.put("top/sub/deep/.bodkinignore", "own.py\n")
    for path in ("priv.py", "listed/a.py", "deep/own.py", "own.py"):
        case.put("top/sub/" + path, "def hidden():\n    return 4711\n")
    for root, above in (("top", "sub/"), ("top/sub", "")):
        server = case.server("--root", case.path(root))
        for path in ("priv.py", "listed/a.py", "deep/own.py"):
            text = server.refused("read_symbol", path=above + path, name="hidden")
            check("private" in text and "4711" not in text, (root, path, text))
        text = server.call("read_symbol", path=above + "own.py", name="hidden")
        check("4711" in str(text), (root, text))


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
    check("nobody can be asked" in server.refused("edit", path="db/a.sql", old_str="one", new_str="two"), "ask")
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


def an_untrusted_folder_is_never_run(case):
    """What the folder's files name as a server of their own is not started, trusted or not."""
    case.put("a.py", "x = 1\n")
    case.put("bin/pyright-langserver", "#!/bin/sh\ntouch %s\n" % case.path("started"))
    os.chmod(case.path("bin/pyright-langserver"), 0o755)
    server = case.server(env={"PATH": case.path("bin") + ":" + os.environ["PATH"]})
    server.done("verify", patch=block("a.py", "x = 1\n", "x = 2\n"))
    check(not os.path.exists(case.path("started")), "it was started")


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
