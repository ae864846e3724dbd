"""What the reply says, and what is said of it."""
import json
import os
import subprocess

from cli_support import block, check
from journal_tests import log


def an_empty_root_is_no_folder(case):
    case.put("a.txt", "1\n")
    done = case.run(block("a.txt", "1\n", "9\n"), "--root", "", root=False, cwd=case.root)
    check(done.returncode == 2 and "--root" in done.err and case.get("a.txt") == b"1\n", done.err)


def one_bad_hunk_changes_nothing(case):
    case.put("a.txt", "1\n2\n3\n")
    case.put("b.txt", "1\n")
    done = case.refused(block("b.txt", "1\n", "9\n") + block("a.txt", "2\nnot there\n", "x\n"))
    check("a.txt" in done.err, done.err)


def what_to_send_to_the_model_is_below_a_heading(case):
    case.put("a.txt", "1\n2\n1\n")
    case.put("c.txt", "do(1);\nb(2);\n}\nc(3);\n")
    for options in ([], ["--diff"], ["--dry-run"]):
        for reply, says, advice in (("a.txt\n<<<<<<< SEARCH\n1\n=======\n9\n", "has no >>>>>>> REPLACE line.", "again"),
                                    (block("a.txt", "1\n", "9\n"), "the lines it changes occur at lines 1 and 3 of a.txt.", "distinguishes"),
                                    ("c.txt\n```\ndo(1);\nd(x);\n}\n// ... existing code ...\n```\n",
                                     "line 1 of the new code: line 2 of the file would be lost", "show the unchanged lines")):
            done = case.refused(reply, *options)
            person, model = done.err.split("\nSend this back to the model:\n")
            check(person.startswith("bodkin apply: ") and person.count("\n") == 1 and says in person and advice not in person
                  and advice in model, done.err)
    person, model = case.refused(block("none.txt", "1\n", "9\n")).err.split("\nSend this back to the model:\n")
    wanted = "Paths are relative to %s; --root names another folder.\n" % case.root
    told = case.refused("```c\nint x;\n```\n").err.partition("\nSend this back to the model:\n")[2]
    check("; send SEARCH/REPLACE blocks or a diff.\n" in told and "ask for" not in told, told)
    check(person.endswith(wanted) and case.root not in model, person + model)


def of_a_file_that_may_be_a_part_the_person_is_told_what_takes_it_and_the_model_is_not(case):
    case.put("a.py", "".join("def f%d(a):\n    b = a + %d\n    return b * %d\n\n\n" % (i, i, i) for i in range(30)))
    reply = "a.py\n```python\ndef g(a):\n    if a:\n        return a\n\n    def f7(b):\n        return b * 8\n\n    return f7\n```\n"
    person, _, model = case.refused(reply).err.partition("Send this back to the model:")
    check("--format whole" in person and "whole" not in model and "SEARCH/REPLACE" in model, person + model)
    case.applied(reply, "--format", "whole")
    check(case.get("a.py").startswith(b"def g(a):"), case.get("a.py"))
    # Words above a fence that may say otherwise, and a fence that is in the way of one.
    case.put("b.py", "w = 1\nx = 1\ny = 1\nz = 1\n")
    shown = "In my own copy, `b.py`:\n\n```python\nw = 1\nx = 2\n```\n"
    person, _, model = case.refused(shown).err.partition("Send this back to the model:")
    check("not clear whether the fence at line 3 is all of b.py." in person and "--format whole" in person and "whole" not in model, person + model)
    case.refused(shown + "\n```\ny\n```\n", says="the fence at line 3 may be b.py, but that at line 8 is no file")
    part = case.refused(shown.replace("w = 1\n", "")).err
    check("not clear where the fence at line 3 belongs in b.py" in part and "--format whole" not in part, part)
    case.applied(shown, "--format", "whole")
    check(case.get("b.py") == b"w = 1\nx = 2\n", case.get("b.py"))


def a_file_in_an_unnamed_encoding_says_what_names_it(case):
    names = ".editorconfig (charset) or bodkin.files.encoding can name its encoding."
    case.put("x.c", "// na\u00efve\nint a;\n".encode("latin-1"))
    for old, new in (("// na\u00efve\n", "// simple\n"), ("// na\u00efve\nint a;\n", "int b;\n")):
        person = case.refused(block("x.c", old, new)).err.partition("Send this back to the model:")[0]
        check("x.c is not UTF-8; " + names in " ".join(person.split()), person)
    case.refused(block("x.c", "int a;\n", "int a; // \u00e9\n"), says="neither .editorconfig (charset) nor bodkin.files.encoding names its encoding")
    case.put(".editorconfig", "[*]\ncharset = latin1\n")
    check("UTF-8" not in case.refused(block("x.c", "// na\u00efvely\n", "\n")).err, "it is named now")
    case.applied(block("x.c", "// na\u00efve\n", "// \u00e9\n"))
    check(case.get("x.c") == "// \u00e9\nint a;\n".encode("latin-1"), case.get("x.c"))


def the_same_reply_twice_is_already_applied(case):
    case.put("a.txt", "def f():\n    return one\n\nf()\n")
    reply = block("a.txt", "def f():\n    return one\n", "def f(x):\n    return x + one\n")
    case.applied(reply)
    before = os.stat(case.path("a.txt")).st_mtime_ns
    done = case.applied(reply)
    check("already in place" in done.out, done.out)
    check(os.stat(case.path("a.txt")).st_mtime_ns == before, "the file was written again")


def the_same_reply_twice_adds_its_lines_once(case):
    case.put("a.py", "def f():\n    return 2\n")
    case.put("b.py", "def f():\n    return 2\n")
    reply = block("a.py", "    return 2\n", "    x = 1\n    return 2\n")
    case.applied(reply)
    once = case.get("a.py")
    done = case.applied(reply)
    check("already in place" in done.out and case.get("a.py") == once, done.out + str(case.get("a.py")))
    check(len(json.loads(log(case, "history", "--json").stdout)) == 1, "one line, two changes")
    case.applied(reply + block("b.py", "    return 2\n", "    return 3\n"))  # which is another one
    case.put("a.py", once + b"y = 1\n")
    case.applied(reply)  # and so is this
    check(case.get("a.py").count(b"x = 1") == 2, str(case.get("a.py")))


def what_changes_nothing_is_said_once(case):
    case.put("s.c", "int a;\nint b;\nint c;\nint d;\nint e;\n")
    sketch = "s.c\n```c\nint a;\nint x;\nint c;\n// ... existing code ...\n```\n"
    for reply in ("*** Begin Patch\n*** Add File: n.txt\n+new\n*** End Patch\n", sketch, block("s.c", "int e;\n", "int e;\n")):
        case.applied(reply)
        done = case.applied(reply)
        check((done.out, done.err) == ("nothing to do: the changes are already in place\n", ""), str(done))


def a_reply_that_was_applied_here_is_already_applied_though_its_lines_prove_nothing(case):
    reply = block("a.txt", "two\n", "2\n") + "\n" + block("b.txt", "two\n", "2\nthree\n")
    for name in ("a.txt", "b.txt"):
        case.put(name, "one\ntwo\n")
    case.refused(block("a.txt", "zwei\n", "one\n"))  # nobody has applied that
    case.applied(reply)
    for words in ((), ("--dry-run",)):
        done = case.applied(reply, *words)
        check("already in place" in done.out and case.get("b.txt") == b"one\n2\nthree\n", str(done))
    told = json.loads(case.run(reply, "--json").out)
    check(told["ok"] and not told["written"] and told["files"] == [], str(told))
    check([hunk["state"] for hunk in told["hunks"]] == ["already_applied"] * 2, str(told))
    # One of the files is another by now: it is not what was applied.
    case.put("b.txt", "one\n2\n")
    case.refused(reply)


def a_removed_file_comes_back_byte_for_byte(case):
    rules = "[*]\ncharset = latin1\n"
    for before, at_removal, at_undo in (("\ufeffé\n".encode("utf-16-le"), "", ""), ("é\n".encode(), rules, rules), ("é\n".encode("latin-1"), rules, ""),
                                        ("é\n".encode("latin-1"), "", rules), ("é日\n".encode(), "", rules), (b"", rules, rules)):
        case.put(".editorconfig", at_removal)
        case.put("u.txt", before)
        done = json.loads(case.applied("*** Begin Patch\n*** Delete File: u.txt\n*** End Patch\n", "--json").out)
        check(not os.path.exists(case.path("u.txt")), "not removed")
        for command in (done["undo"].split()[1], "redo", "undo"):
            case.put(".editorconfig", at_undo if command == "undo" else at_removal)
            again = subprocess.run([case.program, command, done["undo"].split()[2]], cwd=case.root, capture_output=True, timeout=60)
            check(again.returncode == 0, again.stderr.decode())
            if command == "undo":
                check(case.get("u.txt") == before, "%r: %r" % (before, case.get("u.txt")))


def a_rename_is_not_in_place_while_the_old_name_is_a_file(case):
    case.put("a.txt", "a\nb\n")
    reply = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: b.txt\n@@\n-a\n+c\n b\n*** End Patch\n"
    case.applied(reply)
    check("already in place" in case.applied(reply).out, "not known again")
    case.put("a.txt", "a\nb\nof the person\n")
    case.refused(reply)
