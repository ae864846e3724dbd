#!/usr/bin/env python3
"""Runs `bodkin apply` as a user and a program do, on real folders.

    python3 tests/apply_cli/run.py BODKIN [PART_OF_A_NAME…]

Each test is a function of a Case: a folder below which the test may do anything, and the program.
"""
import fcntl
import json
import os
import pathlib
import re
import pty
import random
import resource
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from cli_support import Failure, Skip, block, check, run_all  # noqa: E402


class Case:
    def __init__(self, program, folder):
        self.program, self.root = program, folder

    def path(self, name):
        return os.path.join(self.root, name)

    def journals(self):
        """The journals in the user's state folder: of changes that are not finished."""
        folder = os.path.join(os.environ["XDG_STATE_HOME"], "bodkin", "apply")
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return [os.path.join(folder, n) for n in names if n.endswith(".journal")]

    def put(self, name, text, mode=None):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
        if mode is not None:
            os.chmod(self.path(name), mode)

    def get(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def all(self):
        """Every file below the folder, so that a leftover is seen."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            for name in names + folders:
                whole = os.path.join(folder, name)
                key = os.path.relpath(whole, self.root)
                found[key] = ("-> " + os.readlink(whole) if os.path.islink(whole) else
                              "/" if os.path.isdir(whole) else open(whole, "rb").read())
        return found

    def run(self, reply, *arguments, root=True, **more):
        command = [self.program, "apply", *(["--root", self.root] if root else []), *arguments]
        done = subprocess.run(command, input=reply.encode() if isinstance(reply, str) else reply,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, **more)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        check("Sanitizer" not in done.err and "runtime error" not in done.err, done.err[:3000])
        return done

    def refused(self, reply, *arguments, code=1, says="", **more):
        before = self.all()
        done = self.run(reply, *arguments, **more)
        check(done.returncode == code, "exit %d: %s%s" % (done.returncode, done.out, done.err))
        check(says in done.err + done.out, "%r is not in: %s" % (says, done.err + done.out))
        check(self.all() == before, "files were changed: %r" % self.all())
        return done

    def applied(self, reply, *arguments, **more):
        done = self.run(reply, *arguments, **more)
        check(done.returncode == 0, "exit %d: %s" % (done.returncode, done.err))
        check(not [n for n in self.all() if os.path.basename(n).startswith(".bodkin")],
              "something is left behind: %r" % sorted(self.all()))
        return done


def a_reply_with_prose_changes_several_files(case):
    case.put("src/a.py", "x = 1\ny = 2\n")
    case.put("b.py", "z = 3\n")
    done = case.applied("Sure!\n\n" + block("src/a.py", "x = 1\n", "x = 10\n") + "\nand\n\n" +
                        block("b.py", "z = 3\n", "z = 30\n") + "\nDone.\n")
    check(case.all() == {"src": "/", "src/a.py": b"x = 10\ny = 2\n", "b.py": b"z = 30\n"}, "wrong")
    check(done.out == "changed src/a.py\nchanged b.py\n", done.out)


def files_are_created_moved_and_removed(case):
    case.put("gone.txt", "bye\n")
    case.put("old/name.sh", "echo 1\n", 0o755)
    reply = ("*** Begin Patch\n*** Add File: new/deep/file.txt\n+hello\n*** Delete File: gone.txt\n"
             "*** Update File: old/name.sh\n*** Move to: bin/run.sh\n@@\n-echo 1\n+echo 2\n"
             "*** End Patch\n")
    done = case.applied(reply)
    check(case.get("new/deep/file.txt") == b"hello\n", "not created")
    check(not os.path.exists(case.path("gone.txt")), "not removed")
    check(not os.path.exists(case.path("old/name.sh")), "not moved away")
    check(case.get("bin/run.sh") == b"echo 2\n", "not moved")
    check(os.stat(case.path("bin/run.sh")).st_mode & 0o777 == 0o755, "the mode did not move along")
    check("moved old/name.sh -> bin/run.sh\n" in done.out and "created new/deep/file.txt\n" in done.out
          and "removed gone.txt\n" in done.out, done.out)


def old_text_that_is_only_part_of_lines_is_called_that(case):
    case.put("x.js", "const a = {b: 2, c: 3};\nstart();\n// Build the spheres, which are many\n")
    case.refused(block("x.js", "b: 2\n", "b: 20\n"), says="The old text is only part of line 1: quote whole lines.")
    case.refused(block("x.js", "start();\n// Build the spheres\n", "stop();\n// Build the spheres\n"),
                 says="The old text is only part of lines 2 to 3: quote whole lines.")


def utf_16_is_written_as_utf_16(case):
    for coding in ("utf-16-le", "utf-16-be"):
        before = "\ufeffa\r\nb \U0001F600\r\nc"
        for reply, after in ((block("u.txt", "a\n", "é 日\n"), "\ufeffé 日\r\nb \U0001F600\r\nc"),
                             (block("u.txt", "b \U0001F600\n", "b\n"), "\ufeffa\r\nb\r\nc"),
                             ("--- a/u.txt\n+++ b/u.txt\n@@ -1,2 +1,3 @@\n+hello\n a\n b \U0001F600\n", "\ufeffhello\r\na\r\nb \U0001F600\r\nc")):
            case.put("u.txt", before.encode(coding))
            done = json.loads(case.applied(reply, "--json").out)
            check(case.get("u.txt") == after.encode(coding), "%s: %r" % (coding, case.get("u.txt")))
            undone = subprocess.run([case.program, *done["undo"].split()[1:]], cwd=case.root, capture_output=True, timeout=60)
            check(undone.returncode == 0 and case.get("u.txt") == before.encode(coding), undone.stderr.decode())
        case.put("u.txt", before.encode(coding) + b"x")  # half a character: not every byte would be kept
        case.refused(block("u.txt", "a\n", "c\n"), says="u.txt is UTF-16 text")
        case.applied("*** Begin Patch\n*** Delete File: u.txt\n*** End Patch\n")


ENCODED = (("latin1", "latin-1", "naïve", "été", "日"), ("shift_jis", "shift_jis", "表示", "追加", "é"),
           ("gbk", "gbk", "模块", "相加", "\U0001F600"), ("koi8-r", "koi8-r", "привет", "слово", "日"),
           ("windows-1252", "cp1252", "“a”", "€", "日"))


def a_file_keeps_the_encoding_that_editorconfig_names(case):
    for charset, coding, old, new, lacking in ENCODED:
        case.put(".editorconfig", "root = true\n[*.{c,h}]\ncharset = %s\n" % charset)
        before = "// %s\nint a;\nint b; // %s\n" % (old, old)
        case.put("x.c", before.encode(coding))
        case.refused(block("x.c", "int a;\n", "int a; // %s\n" % lacking), says='x.c cannot be written in its encoding: %s has no "%s"' % (charset, lacking))
        done = json.loads(case.applied(block("x.c", "int a;\n", "int a; // %s\n" % new), "--json").out)
        check(case.get("x.c") == before.replace("int a;", "int a; // " + new).encode(coding), case.get("x.c"))
        # What the file has can be quoted, and a change is undone byte for byte.
        undone = subprocess.run([case.program, *done["undo"].split()[1:]], cwd=case.root, capture_output=True, timeout=60)
        check(undone.returncode == 0 and case.get("x.c") == before.encode(coding), undone.stderr.decode() + repr(case.get("x.c")))
        case.applied(block("x.c", "// %s\n" % old, "// %s %s\n" % (new, old)))
        check(case.get("x.c") == before.replace("// " + old, "// %s %s" % (new, old), 1).encode(coding), case.get("x.c"))
        case.put("plain.c", "int a;\n")
        case.applied(block("plain.c", "int a;\n", "int a; // %s\n" % new) + block("new_%s.h" % coding, "", "// %s\n" % new))
        check(case.get("plain.c") == ("int a; // %s\n" % new).encode(coding), case.get("plain.c"))
        check(case.get("new_%s.h" % coding) == ("// %s\n" % new).encode(coding), "the new file is not in the project's encoding")
    for charset in ("iso-2022-cn-ext", "gbk//TRANSLIT", "no-such"):  # whoever sent the folder has written it
        case.put(".editorconfig", "[*]\ncharset = %s\n" % charset)
        case.put("x.c", "int a;\n")
        case.refused(block("x.c", "int a;\n", "int a; // 日\n"), says="an encoding that is not known here: " + charset.lower())
    case.put("u.c", "// été\nint a;\n")  # it is UTF-8, whatever is said
    case.applied(block("u.c", "int a;\n", "int a; // 日\n"))
    check(case.get("u.c") == "// été\nint a; // 日\n".encode(), case.get("u.c"))


def an_encoding_in_which_ascii_is_other_bytes_is_not_known(case):
    for charset in ("cp037", "cp500", "cp1140", "ibm-037"):
        case.put(".editorconfig", "[*]\ncharset = %s\n" % charset)
        case.put("x.c", "int a;\nint b;\n".encode("cp037"))
        case.refused("x.c\n```c\nint c;\n```\n", says="")
        case.refused(json.dumps({"path": "x.c", "file_text": "int c;\n", "command": "create"}), "--format", "str_replace")
        case.refused(block("x.c", "int a;\n", "int c;\n"))


def what_is_ascii_in_a_file_is_ascii_in_shift_jis(case):
    for charset in "shift_jis", "euc-kr":
        case.put(".editorconfig", "[*]\ncharset = %s\n" % charset)
        before = 'puts("表\\n~%s\\n");\nint b;\n' % ("똠" if charset == "euc-kr" else "①")
        coding = "cp949" if charset == "euc-kr" else "cp932"
        case.put("x.c", before.replace("表", "" if charset == "euc-kr" else "表").encode(coding))
        before = case.get("x.c").decode(coding)
        line = before.splitlines(True)[0]
        case.applied(block("x.c", line, "// \\t~\n" + line))
        check(case.get("x.c") == ("// \\t~\n" + before).encode(coding), case.get("x.c"))


def no_utf_8_is_mixed_into_a_file_of_an_unknown_encoding(case):
    for charset, coding, old, new, lacking in ENCODED:
        before = ("// %s\nint a; // %s\n" % (old, old)).encode(coding)
        for rules in ("", "[*]\ncharset = utf-8\n"):
            case.put(".editorconfig", rules)
            case.put("x.c", before)
            case.refused(json.dumps({"path": "x.c", "old_str": "int a;", "new_str": "int a; /* %s */" % new}), "--format", "str_replace", says="x.c is not UTF-8")
        done = json.loads(case.applied(json.dumps({"path": "x.c", "old_str": "int a;", "new_str": "int bc;"}), "--format", "str_replace", "--json").out)
        check(case.get("x.c") == before.replace(b"int a", b"int bc"), case.get("x.c"))
        undone = subprocess.run([case.program, *done["undo"].split()[1:]], cwd=case.root, capture_output=True, timeout=60)
        check(undone.returncode == 0 and case.get("x.c") == before, undone.stderr.decode())


def a_new_file_has_the_line_ends_that_the_project_says(case):
    new = "*** Begin Patch\n*** Add File: %s\n+a\n+b\n*** End Patch\n"
    unfinished = json.dumps({"path": "%s", "old_str": "", "new_str": "a\nb"})
    for rules, path, wanted in (
            ({".gitattributes": "*.bat text eol=crlf\n"}, "d/x.bat", b"a\r\nb\r\n"),
            ({".editorconfig": "[*.cs]\nend_of_line = CRLF\n"}, "x.cs", b"a\r\nb\r\n"),
            ({".editorconfig": "[*]\nend_of_line = crlf\n", "d/.editorconfig": "[*]\nend_of_line = lf\n"}, "d/x.cs", b"a\nb\n"),
            ({".editorconfig": "[*]\nend_of_line = crlf\n", "d/.editorconfig": "root = true\n"}, "d/x.cs", b"a\nb\n"),
            ({".editorconfig": "[*]\nend_of_line = lf\n", "d/o.cs": "o\r\n"}, "d/x.cs", b"a\nb\n"),
            ({"d/o.cs": "o\r\n", "e/p.cs": "o\n"}, "d/x.cs", b"a\r\nb\r\n"),
            ({"d/o.cs": "o\r\n"}, "x.cs", b"a\r\nb\r\n"),
            ({"d/o.cs": "o\r\n", "d/p.cs": "p\n"}, "d/x.cs", b"a\nb\n"),
            ({"o.txt": "o\r\n"}, "x.cs", b"a\nb\n")):
        for reply, args in ((new % path, ()), (unfinished % path, ("--format", "str_replace"))):
            for name in case.all():
                shutil.rmtree(case.path(name), ignore_errors=True) if os.path.isdir(case.path(name)) else os.path.exists(case.path(name)) and os.unlink(case.path(name))
            for name, text in rules.items():
                case.put(name, text)
            case.applied(reply, *args)
            got = case.get(path)
            finished = any(n.endswith(".cs") and path.endswith(".cs") for n in rules)
            check(got == (wanted if not args or finished else wanted.rstrip(b"\r\n")), "%r: %r" % (rules, got))
            if not args:
                case.applied(reply)  # it is there already
    case.put("o.js", "o\n")
    for path, said, wanted in (("w.js", "true", b"a\nb\n"), ("y.js", "unset", b"a\nb\n"), ("z.js", "false", b"a\nb")):
        case.put(".editorconfig", "[*]\ninsert_final_newline = %s\n" % said)
        case.applied(unfinished % path, "--format", "str_replace")
        check(case.get(path) == wanted, "%s: %r" % (said, case.get(path)))


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
                                     "line 1 of the sketch: line 2 of the file would be lost", "show the unchanged lines")):
            done = case.refused(reply, *options)
            person, model = done.err.split("\nSend this back to the model:\n")
            check(person.startswith("bodkin apply: ") and person.count("\n") == 1 and says in person and advice not in person
                  and advice in model, done.err)
    person, model = case.refused(block("none.txt", "1\n", "9\n")).err.split("\nSend this back to the model:\n")
    wanted = "Paths are relative to %s; --root names another folder.\n" % case.root
    told = case.refused("```c\nint x;\n```\n").err.partition("\nSend this back to the model:\n")[2]
    check("; send SEARCH/REPLACE blocks or a diff.\n" in told and "ask for" not in told, told)
    check(person.endswith(wanted) and case.root not in model, person + model)


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


def every_byte_around_the_edit_is_kept(case):
    for name, text, after in [
            ("crlf", b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
            ("bom", b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nB\n"),
            ("no-final", b"a\nb", b"a\nB"),
            ("mixed", b"a\r\nb\nc\r\n\n", b"a\r\nB\nc\r\n\n"),
            ("latin-1", b"caf\xe9\nb\n\xff\xfe\x00\n", b"caf\xe9\nB\n\xff\xfe\x00\n"),
            ("form-feed", b"a\x0c\nb\n\xe2\x80\xa8\n", b"a\x0c\nB\n\xe2\x80\xa8\n")]:
        case.put(name, text)
        case.applied(block(name, "b\n", "B\n"))
        check(case.get(name) == after, "%s: %r" % (name, case.get(name)))


def mode_owner_and_links_stay(case):
    case.put("real/run.sh", "echo 1\n", 0o750)
    os.makedirs(case.path("bin"))
    os.symlink("../real/run.sh", case.path("bin/run"))
    os.symlink("real", case.path("alias"))
    if os.geteuid() == 0:
        os.chown(case.path("real/run.sh"), 1234, 4321)
    case.applied(block("bin/run", "echo 1\n", "echo 2\n"))
    case.applied(block("alias/run.sh", "echo 2\n", "echo 3\n"))
    check(os.readlink(case.path("bin/run")) == "../real/run.sh", "the link is gone")
    check(os.path.islink(case.path("alias")), "the folder's link is gone")
    status = os.stat(case.path("real/run.sh"))
    check(case.get("real/run.sh") == b"echo 3\n", "not written through the link")
    check(stat.S_IMODE(status.st_mode) == 0o750, "the mode changed")
    if os.geteuid() == 0:
        check((status.st_uid, status.st_gid) == (1234, 4321), "the owner changed")


def extended_attributes_stay(case):
    case.put("a.txt", "1\n")
    try:
        os.setxattr(case.path("a.txt"), "user.note", b"kept")
    except OSError:
        raise Skip("this file system has no extended attributes")
    case.applied(block("a.txt", "1\n", "2\n"))
    check(os.getxattr(case.path("a.txt"), "user.note") == b"kept", "the attribute is gone")


def nothing_outside_of_the_root_is_touched(case):
    outside = case.root + "-outside"
    os.makedirs(outside)
    try:
        with open(outside + "/secret.txt", "w") as out:
            out.write("1\n")
        os.symlink(outside, case.path("out"))
        os.symlink(outside + "/secret.txt", case.path("file"))
        case.put("in/a.txt", "1\n")
        for path in ["../%s/secret.txt" % os.path.basename(outside), "out/secret.txt", "file",
                     outside + "/secret.txt", "in/../../x", "/etc/hostname"]:
            case.refused(block(path, "1\n", "2\n"))
        for path in ["out/new.txt", "../new.txt", "/tmp/bodkin-new.txt", "in/../../new.txt"]:
            case.refused("*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n" % path)
        case.refused("*** Begin Patch\n*** Update File: in/a.txt\n*** Move to: out/a.txt\n@@\n-1\n+2\n"
                     "*** End Patch\n")
        check(sorted(os.listdir(outside)) == ["secret.txt"], "something is outside")
        check(open(outside + "/secret.txt").read() == "1\n", "written outside")
    finally:
        shutil.rmtree(outside)


def ways_to_name(outside, name):
    """An edit of outside/src/a.py, whose text a file of the same name in the root has, too, by form and spelling."""
    whole = os.path.join(outside, name)
    slashless = whole.lstrip("/")
    yield block(whole, "one\n", "two\n")
    yield block("@" + whole, "one\n", "two\n")
    yield block("file://" + whole, "one\n", "two\n")
    yield block("~/" + name, "one\n", "two\n")
    yield block("../%s/%s" % (os.path.basename(outside), name), "one\n", "two\n")
    yield block("out/" + name, "one\n", "two\n")
    yield block("C:\\work\\" + name.replace("/", "\\"), "one\n", "two\n")
    yield block("https://example.org/" + name, "one\n", "two\n")
    yield "*** Begin Patch\n*** Update File: %s\n@@\n-one\n+two\n*** End Patch\n" % whole
    yield "*** Begin Patch\n*** Delete File: %s\n*** End Patch\n" % whole
    yield "--- %s\n+++ %s\n@@ -1 +1 @@\n-one\n+two\n" % (whole, whole)
    yield "--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-one\n+two\n" % (whole, whole)
    yield "%s\n```python\ntwo\n```\n" % whole
    # As git diff --no-index writes it.
    yield ("diff --git a/%s b/%s\nindex 5626abf..f719efd 100644\n--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-one\n+two\n"
           % ((slashless,) * 4))
    yield "diff --git a/../o/%s b/../o/%s\n--- a/../o/%s\n+++ b/../o/%s\n@@ -1 +1 @@\n-one\n+two\n" % ((name,) * 4)


def no_file_is_guessed_for_a_path_outside_of_the_root(case):
    outside = case.root + "-outside"
    os.makedirs(outside + "/src")
    try:
        with open(outside + "/src/a.py", "w") as out:
            out.write("one\n")
        os.symlink(outside, case.path("out"))
        case.put("src/a.py", "one\n")
        env = {**os.environ, "HOME": outside}
        for reply in ways_to_name(outside, "src/a.py"):
            case.refused(reply, says=" is outside the folder ", env=env)
        # Nor is it one if there is no such place.
        for reply in (block("/no/such/place/src/a.py", "one\n", "two\n"),
                      "*** Begin Patch\n*** Add File: /no/such/place/src/b.py\n+x\n*** End Patch\n",
                      "*** Begin Patch\n*** Update File: src/a.py\n*** Move to: %s/src/b.py\n@@\n-one\n+two\n*** End Patch\n" % outside):
            case.refused(reply, says=" is outside the folder ")
        case.refused("<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n", "--path", outside + "/src/a.py",
                     says=" is outside the folder ")
    finally:
        shutil.rmtree(outside)


def an_absolute_path_in_the_root_is_one_of_its_files(case):
    linked = case.root + "-link"
    os.symlink(case.root, linked)
    try:
        for folder in (case.root, linked):
            for spelled in (folder + "/src/a.py", "file://%s/src/a.py" % folder, "~/src/a.py"):
                case.put("src/a.py", "one\n")
                case.put("lib/src/a.py", "one\n")
                case.applied(block(spelled, "one\n", "two\n"), env={**os.environ, "HOME": folder})
                check((case.get("src/a.py"), case.get("lib/src/a.py")) == (b"two\n", b"one\n"), spelled)
            new = "new%d.py" % (folder == linked)
            case.applied("*** Begin Patch\n*** Add File: %s/%s\n+x\n*** End Patch\n" % (folder, new))
            check(case.get(new) == b"x\n", "not created")
        # What is relative may still have more folders above it than the root shows.
        case.put("deep/only.py", "one\n")
        case.applied(block("my-project/deep/only.py", "one\n", "two\n"))
        check(case.get("deep/only.py") == b"two\n", "not found")
    finally:
        os.unlink(linked)


def a_path_is_guessed_among_the_projects_files_only(case):
    reply = block("lib/a.js", "a = 1\n", "a = 2\n")
    case.put(".gitignore", "/made/\n")
    case.put(".git/HEAD", "")
    case.put("copy/.git", "gitdir: elsewhere\n")
    for copy in ("made", "copy", ".copy/w", "dist", "env", "x/node_modules/y"):
        case.put(copy + "/lib/a.js", "a = 1\n")
        if copy == "env":
            case.put("env/pyvenv.cfg", "")
    case.refused(reply, says="there is no file lib/a.js")
    case.put(".gitmodules", '[submodule "m"]\n\tpath = ext/m\n')
    case.put("ext/m/.git", "gitdir: elsewhere\n")
    case.put("ext/m/lib/a.js", "a = 1\n")
    case.applied(reply)
    check(case.get("ext/m/lib/a.js") == b"a = 2\n", "the submodule's file is not changed")


def what_cannot_be_read_is_not_looked_for_elsewhere(case):
    replies = {
        "blocks": block("z", "one\n", "two\n"),
        "patch": "*** Begin Patch\n*** Update File: z\n@@\n-one\n+two\n*** End Patch\n",
        "diff": "--- a/z\n+++ b/z\n@@ -1 +1 @@\n-one\n+two\n",
    }
    makes = {
        "z exists and is not a regular file": lambda path: os.mkfifo(path),
        "is a link to a file that is not there": lambda path: os.symlink("nowhere", path),
        "exists and is not a regular file": lambda path: os.mkdir(path),
    }
    case.put("sub/z", "one\n")
    for says, make in makes.items():
        make(case.path("z"))
        for kind, reply in replies.items():
            done = case.run(reply)
            check(done.returncode == 1 and says in done.err, "%s, %s: %s" % (says, kind, done.err))
            check(case.get("sub/z") == b"one\n", "%s, %s: another file was changed" % (says, kind))
        shutil.rmtree(case.path("z")) if os.path.isdir(case.path("z")) else os.remove(case.path("z"))


def output_that_cannot_be_written_is_an_error(case):
    case.put("a", "one\n")
    for arguments in (["apply", "--root", case.root, "--diff"], ["--help"], ["--version"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([case.program, *arguments], input=block("a", "one\n", "two\n").encode(), stdout=full,
                                  stderr=subprocess.PIPE, timeout=60)
        check(done.returncode == 1 and b"No space left" in done.stderr, "%s: %d %s" %
              (arguments, done.returncode, done.stderr))


def a_name_that_differs_in_its_unicode_form_only_is_that_file(case):
    for here, meant in (("NFD", "NFC"), ("NFC", "NFD")):
        name, written = unicodedata.normalize(here, "sé/über.c"), unicodedata.normalize(meant, "sé/über.c")
        case.put(name, "int a;\n")
        case.applied(block(written, "int a;\n", "int b;\n"))
        check(case.get(name) == b"int b;\n", "not changed")
        case.refused("*** Begin Patch\n*** Add File: %s\n+int c;\n*** End Patch\n" % written, says="already exists")
        shutil.rmtree(os.path.dirname(case.path(name)))
    for form in ("NFC", "NFD"):
        case.put(unicodedata.normalize(form, "é.c"), "int a;\n")
    case.applied(block(unicodedata.normalize("NFC", "é.c"), "int a;\n", "int b;\n"))
    check(case.get(unicodedata.normalize("NFD", "é.c")) == b"int a;\n", "the other file is changed")


def git_is_not_edited(case):
    case.put(".git/config", "1\n")
    case.put("sub/.git", "1\n")
    case.put(".gitignore", "1\n")
    os.symlink(".git", case.path("g"))
    for path in [".git/config", "./.git/config", "sub/.git", "g/config"]:
        case.refused(block(path, "1\n", "2\n"))
    for path in [".GIT/hooks/pre-commit", ".git/hooks/pre-commit", ".Git/x", "g/hooks/x", ".git./x"]:
        case.refused("*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n" % path)
    case.applied(block(".gitignore", "1\n", "2\n"))


def a_link_is_neither_removed_nor_moved(case):
    case.put("a.txt", "1\n")
    os.symlink("a.txt", case.path("l.txt"))
    case.refused("*** Begin Patch\n*** Delete File: l.txt\n*** End Patch\n", says="symbolic link")
    case.refused("*** Begin Patch\n*** Update File: l.txt\n*** Move to: m.txt\n@@\n-1\n+2\n"
                 "*** End Patch\n", says="symbolic link")


def two_names_of_one_file_are_refused(case):
    case.put("a.txt", "1\n2\n")
    os.symlink("a.txt", case.path("l.txt"))
    case.refused(block("a.txt", "1\n", "x\n") + block("l.txt", "2\n", "y\n"), says="same file")


def a_pipe_or_device_is_not_a_file(case):
    os.mkfifo(case.path("pipe"))
    done = case.run(block("pipe", "1\n", "2\n"))
    check(done.returncode == 1, "a pipe was read")


def only_regular_files_are_overwritten(case):
    os.mkfifo(case.path("pipe"))
    case.put("folder/x.txt", "1\n")
    os.symlink("folder", case.path("link"))
    new = "*** Begin Patch\n*** Add File: %s\n+x\n*** End Patch\n"
    for path, says in [("pipe", "not a regular file"), ("folder", "not a regular file"), ("link", "not a regular file"),
                       ("folder/x.txt/y", "is a file"), ("x" * 300, "too long"), ("d/" * 3000 + "x", "too long"),
                       (".bodkin-apply-journal", "belongs to bodkin itself"), ("folder/.bodkin-x", "belongs to bodkin itself")]:
        for more in ["--dry-run"], []:
            case.run(new % path, *more)
            before = sorted(os.listdir(case.root))
            done = case.run(new % path, *more)
            check(done.returncode == 1 and says in done.err, "%s: %s%s" % (path, done.out, done.err))
            check(sorted(os.listdir(case.root)) == before == ["folder", "link", "pipe"], "left: %r" % before)
    case.run("*** Begin Patch\n*** Add File: a\n+x\n*** Add File: a/b\n+x\n*** End Patch\n")
    check(not os.path.exists(case.path("a")), "a file and a folder")
    os.unlink(case.path("pipe"))
    os.unlink(case.path("link"))
    case.applied(new % "next")


def hard_links_in_one_reply_are_one_file(case):
    case.put("a.txt", "1\n2\n")
    os.link(case.path("a.txt"), case.path("b.txt"))
    case.refused(block("a.txt", "1\n", "x\n") + block("b.txt", "2\n", "y\n"), says="same file")


def a_full_disk_changes_nothing(case):
    case.put("a.txt", "1\n")
    case.put("b.txt", "1\n")
    big = "x" * 79 + "\n"
    reply = block("a.txt", "1\n", "2\n") + block("b.txt", "1\n", big * 3000)

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
    case.refused(reply, preexec_fn=limit, says="b.txt")
    case.applied(reply)


def a_really_full_disk_changes_nothing(case):
    if os.geteuid() != 0:
        raise Skip("mounting needs root")
    small = case.path("small")
    os.makedirs(small)
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small]
    if subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("nothing can be mounted here")
    try:
        case.put("small/a.txt", "1\n")
        case.put("small/b.txt", "1\n")
        inner = Case(case.program, small)
        reply = block("a.txt", "1\n", "2\n") + block("b.txt", "1\n", ("x" * 79 + "\n") * 1500)
        inner.refused(reply, says="No space left")
        inner.applied(block("a.txt", "1\n", "2\n"))
    finally:
        subprocess.run(["umount", small], check=True)


def a_read_only_folder_or_file_changes_nothing(case):
    if os.geteuid() == 0:
        # root writes everywhere: a read-only mount stops it too.
        os.makedirs(case.path("ro"))
        case.put("ro/b.txt", "1\n")
        done = subprocess.run("mount --bind {0} {0} && mount -o remount,ro,bind {0}".format(
            case.path("ro")), shell=True, stderr=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Skip("root writes everywhere, and nothing can be mounted here")
        try:
            case.put("a.txt", "1\n")
            case.refused(block("a.txt", "1\n", "2\n") + block("ro/b.txt", "1\n", "2\n"),
                         says="Read-only")
        finally:
            subprocess.run(["umount", case.path("ro")], check=True)
        return
    case.put("a.txt", "1\n")
    case.put("ro/b.txt", "1\n")
    case.put("c.txt", "1\n", 0o444)
    os.chmod(case.path("ro"), 0o555)
    try:
        case.refused(block("a.txt", "1\n", "2\n") + block("ro/b.txt", "1\n", "2\n"), says="ro/b.txt")
        case.refused(block("a.txt", "1\n", "2\n") + block("c.txt", "1\n", "2\n"), says="c.txt")
    finally:
        os.chmod(case.path("ro"), 0o755)


def json_says_what_was_written_in_place(case):
    """A file that is itself a mount, as in a container: none can take its place."""
    case.put("a.txt", "1\n")
    if os.geteuid() != 0 or subprocess.run(["mount", "--bind", case.path("a.txt"), case.path("a.txt")], stderr=subprocess.DEVNULL).returncode != 0:
        raise Skip("nothing can be mounted here")
    try:
        case.put("b.txt", "1\n")
        done = json.loads(case.applied(block("a.txt", "1\n", "2\n"), "--json").out)
        check(done["notes"] == ["a.txt was written in place, because no new file can take its place"] and case.get("a.txt") == b"2\n", str(done))
        done = json.loads(case.applied(block("b.txt", "1\n", "2\n"), "--json").out)
        check("notes" not in done, str(done))
    finally:
        subprocess.run(["umount", case.path("a.txt")], check=True)


def a_killed_run_is_undone_by_the_next(case):
    """Kills the real program at many moments; whenever, the next run finds all old or all new."""
    names = ["f%02d.txt" % i for i in range(40)]
    reply = "".join(block(n, "old\n", "new\n") for n in names)
    undone = 0
    for attempt in range(14):
        for name in names:
            case.put(name, "old\n")
        process = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        process.stdin.write(reply.encode())
        process.stdin.close()
        if attempt % 2 == 0:  # as soon as the journal is seen, and a little later each time
            while process.poll() is None and not case.journals():
                pass
        time.sleep(attempt * 0.0007)
        process.kill()
        process.wait()
        interrupted = bool(case.journals())
        done = case.run("nothing to do")
        check(done.returncode == 1, "an empty reply was applied")
        states = {case.get(name) for name in names}
        check(len(states) == 1, "half of the files are changed")
        check(not interrupted or states == {b"old\n"}, "an unfinished change stayed")
        undone += interrupted
        check(sorted(case.all()) == names, "something is left: %r" % sorted(case.all()))
    check(undone > 0, "no run was killed in the middle")


def begun(case, names):
    """A run that changes these files from "old" to "new"."""
    for name in names:
        case.put(name, "old\n")
    process = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    process.stdin.write("".join(block(n, "old\n", "new\n") for n in names).encode())
    process.stdin.close()
    return process


def interrupted(case, names):
    """Kills a run that changes these files from "old" to "new" in the middle."""
    for attempt in range(200):
        process = begun(case, names)
        while process.poll() is None and not {case.get(n) for n in names} & {b"new\n"}:
            pass
        process.kill()
        process.wait()
        if case.journals() and len({case.get(n) for n in names}) == 2:
            return
        case.run("nothing to do")
    raise Failure("no run was killed in the middle")


MOVED = ("*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n one\n-two\n"
         "+TWO\n*** Add File: d.txt\n+new\n*** End Patch\n")


def changed_with_a_move(case):
    """The files before and after, and the id."""
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)
    for name in case.all():
        os.remove(case.path(name))
    for name in "ab":
        case.put(name + ".txt", "one\ntwo\n")
    before = case.all()
    undo = json.loads(case.applied(MOVED, "--json").out)["undo"].split()[2]
    return before, case.all(), undo


def log(case, *words):
    return subprocess.run([case.program, *words], cwd=case.root, capture_output=True, text=True, timeout=60)


def the_files_say_what_is_undone(case):
    """Somebody has brought the files back, or a run was killed before the history had its last word."""
    before, after, change = changed_with_a_move(case)
    for texts in (after, before):  # which somebody has brought back after the undo, or the redo
        name = "undo" if texts == after else "redo"
        check(log(case, name, change).returncode == 0, name)
        for left in case.all():
            os.remove(case.path(left))
        for left, text in texts.items():
            case.put(left, text)
        done = log(case, name, change)
        check(done.returncode == 0 and case.all() == (before if name == "undo" else after), "%s %r" % (done, case.all()))
    # A file of that name that is somebody else's is left alone, and so is a move that is not ours.
    log(case, "undo", change)
    os.rename(case.path("b.txt"), case.path("c.txt"))
    done = log(case, "undo", change)
    check(done.returncode == 1 and "is not applied" in done.stderr and case.get("c.txt") == b"one\ntwo\n", str(done))
    case.put("c.txt", "ours\n")
    done = log(case, "undo", change)
    check(done.returncode == 1 and case.get("c.txt") == b"ours\n", str(done))


def a_killed_undo_or_redo_is_found_by_the_next(case):
    for attempt in range(12):
        before, after, change = changed_with_a_move(case)
        name, back = ("undo", "redo") if attempt % 2 else ("redo", "undo")
        if name == "redo":
            log(case, "undo")
        there = os.listdir(case.root)
        process = subprocess.Popen([case.program, name], cwd=case.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and os.listdir(case.root) == there:
            pass
        time.sleep(attempt * 0.0003)
        process.kill()
        process.wait()
        once, wanted = log(case, name), after if name == "redo" else before
        check(case.all() == wanted, "%s %r" % (once, case.all()))
        again = log(case, back)
        check(case.all() == (before if name == "redo" else after), "%s %r" % (again, case.all()))



def the_log_keeps_to_the_settings(case):
    state = os.path.join(os.environ["XDG_STATE_HOME"], "bodkin", "history.db")
    config = os.path.join(os.environ["XDG_STATE_HOME"], "config")
    settings = os.path.join(config, "bodkin", "settings.json")
    os.makedirs(os.path.dirname(settings))
    old = os.environ.get("XDG_CONFIG_HOME")
    os.environ["XDG_CONFIG_HOME"] = config
    def change(i):
        case.put("a.txt", "old %d\n%s" % (i, random.Random(i).randbytes(300_000).hex()))
        return json.loads(case.applied(block("a.txt", "old %d\n" % i, "new %d\n" % i), "--json").out)
    def kept():
        return [each["id"] for each in json.loads(log(case, "history", "--json").stdout)]
    try:
        with open(settings, "w") as file:
            file.write('{"bodkin.history.maxMegabytes": 3}')
        ids = [change(i)["undo"].split()[2] for i in range(6)]
        check(kept() and kept()[0] == ids[-1] and len(kept()) < 6, str(kept()))
        check(sum(os.path.getsize(state + end) for end in ("", "-wal") if os.path.exists(state + end)) < 5_000_000, "it has grown")
        with sqlite3.connect(state) as store:
            store.execute("UPDATE proposals SET created = 1, applied = 1")
        store.close()
        last = change(7)["undo"].split()[2]
        check(kept() == [last], str(kept()))
        # Of a file that cannot be read nobody knows whether it wants no history.
        for text, why in (('{"bodkin.history.retentionDays": 0,,}', "settings.json cannot be read"), ('{"bodkin.history.retentionDays": 0}', "no history")):
            with open(settings, "w") as file:
                file.write(text)
            done = change(8)
            check("undo" not in done and why in str(done["notes"]) and kept() == [last], str(done))
    finally:
        del os.environ["XDG_CONFIG_HOME"]
        if old is not None:
            os.environ["XDG_CONFIG_HOME"] = old


def the_log_is_exact_and_shows_no_secrets(case):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    text = "a = 1\ntoken = '%s'\n" % secret
    case.put("a.txt", text)
    change = json.loads(case.applied(block("a.txt", text, "a = 2\n"), "--json").out)["undo"].split()[2]
    for words in (("show", change), ("export", change), ("show", change, "--json"), ("--json",), ()):
        done = log(case, "history", *words)
        check(done.returncode == 0 and secret not in done.stdout + done.stderr and change in done.stdout, str(done))
    check(log(case, "undo", change).returncode == 0 and case.get("a.txt") == text.encode(), str(case.get("a.txt")))


def a_long_log_costs_a_run_little(case):
    """Not the texts of every change of the folder: that is memory and seconds."""
    lines = ["line %d\n" % i for i in range(200_000)]
    case.put("a.txt", "".join(lines))
    for i in range(6):
        case.applied(block("a.txt", "line %d\n" % (100 + i), "LINE %d\n" % i))
    def peak(*words, reply=""):
        done = subprocess.run([sys.executable, "-c", "import resource, subprocess, sys\nsubprocess.run(sys.argv[1:], capture_output=True, "
                               "input=%r.encode())\nprint(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)" % reply,
                               case.program, *words], cwd=case.root, capture_output=True, text=True, timeout=60)
        return int(done.stdout) // 1024
    case.put("b.txt", "other\n")
    for words, reply in ((("apply",), block("b.txt", "nothing of it\n", "x\n")), (("apply", "p0-0000000000000000"), "")):
        used = peak(*words, reply=reply)
        check(used < 60, "%s: %d MB" % (words, used))


MANY = ["f%02d.txt" % i for i in range(40)]


def an_interrupted_run_is_mentioned_by_dry_runs_and_not_touched(case):
    interrupted(case, MANY)
    case.put("a.txt", "1\n")
    before, journal = case.all(), open(case.journals()[0], "rb").read()
    done = case.run(block("a.txt", "1\n", "2\n"), "--dry-run")
    check(done.returncode == 0 and "interrupted" in done.err, done.err)
    check(case.all() == before, "a dry run changed files")
    check(open(case.journals()[0], "rb").read() == journal, "a dry run changed the journal")
    check(stat.S_IMODE(os.stat(case.journals()[0]).st_mode) == 0o600, "others can read the journal")
    case.applied(block("a.txt", "1\n", "2\n"))
    check({case.get(n) for n in MANY} == {b"old\n"}, "not changed back")


def why_a_hunk_is_where_it_is_is_said_when_asked(case):
    case.put("a.txt", "one\ntwo\nthree\nend\n\none\ntwo\nthree\n")
    reply = block("a.txt", "two\nthree\nend\n", "two\n3\nend\n")
    done = case.run(reply, "--dry-run")
    check("line 2" not in done.err, done.err)
    done = case.run(reply, "--dry-run", "--why")
    check(done.returncode == 0 and "Hunk 1 of a.txt, line 2: exact" in done.err, done.err)
    # The price of each line, and what rules the other place out.
    case.put("a.py", "def load(path):\n    log(path)\n\n    return 1\n\n\ndef save(path):\n    log(path)\n    return 1\n")
    told = case.run(block("a.py", "def load(path):\n    log(paths)\n    return 1\n", "def load(path):\n    log(paths)\n    return 2\n"), "--dry-run", "--why").err
    check("line 1: price 4.5 = lines that differ 4.5; there is no other place\n    1   def load(path):\n"
          "    2       log(path)   (4.0, quoted as: log(paths))\n      \u2026 a line here that the quote leaves out\n    4 -     return 1\n"
          "      +     return 2\n" in told, told)
    told = case.run("*** Begin Patch\n*** Update File: a.py\n@@ def save(path):\n     log(path)\n+    check(path)\n*** End Patch\n", "--dry-run", "--why").err
    check("line 8: exact; line 2, where it reads so, too, is not meant: its @@ line names another place" in told, told)
    # Which line of a sketch is which of the file, and what it does not show.
    told = case.run("a.py\n```python\n# ... existing code ...\ndef save(path):\n    log(path)\n    check(path)\n    return 2\n```\n", "--dry-run", "--why").err
    check("Hunk 1 of a.py, a sketch: 8 lines stay, 1 goes, 2 are new\n file   sketch\n    1\u20136 stay\n    7 = 2    def save(path):\n"
          "    8 = 3        log(path)\n    9 -          return 1\n      + 4        check(path)\n      + 5        return 2\n" in told, told)
    told = case.run("a.py\n```python\n%s```\n" % case.get("a.py").decode().replace("return 1", "return 3"), "--dry-run", "--why").err
    check("sent as a whole: 7 lines stay, 2 go, 2 are new\n    1\u20133 stay\n    4 -          return 1\n      +          return 3\n" in told, told)
    told = case.run("Create `b.py`:\n\n```\nx = 1\n```\n", "--dry-run", "--why").err
    check("Hunk 1 of b.py, a new file: there is none of this name" in told, told)


def a_journal_that_lies_in_the_root_is_ignored(case):
    """Whoever made the repository put it there: nothing is changed "back" to a text of his."""
    def digest(text):
        value = 0xcbf29ce484222325
        for byte in text:
            value = (value ^ byte) * 0x100000001b3 % 2**64
        return b"%d:%016x" % (len(text), value)

    honest, evil = b"make all\n", b"touch PWNED\n"
    fields = [b"bodkin apply 1", b"file", b"build.sh", b".bodkin-0badf00d-0.new", b".bodkin-0badf00d-0.old",
              digest(evil), digest(honest), b"end"]
    for name in ".bodkin-apply-journal", ".bodkin-apply-done":
        case.put("build.sh", honest, 0o755)
        case.put("a.txt", "1\n")
        case.put(".bodkin-0badf00d-0.old", evil, 0o755)
        case.put(name, b"\0".join(fields))
        for arguments in ["--dry-run"], []:
            done = case.run(block("a.txt", "1\n", "2\n"), *arguments)
            check(done.returncode == 0, done.err)
            check(case.get("build.sh") == honest, "the committed journal was believed")
        check(case.get("a.txt") == b"2\n", "not applied")
        check(case.get(".bodkin-0badf00d-0.old") == evil, "a file of the repository was removed")
        os.unlink(case.path(name))


def a_journal_of_another_folder_is_not_used(case):
    """What has the folder's name now is not the folder that was being changed."""
    interrupted(case, MANY)
    shutil.move(case.root, case.root + "-aside")
    os.mkdir(case.root)
    case.put("f00.txt", "new\n")
    case.put("a.txt", "1\n")
    done = case.applied(block("a.txt", "1\n", "2\n"))
    check("different folder" in done.err, done.err)
    check(case.get("f00.txt") == b"new\n" and not case.journals(), "the wrong folder was changed")


def only_a_private_state_folder_is_used(case):
    case.put("a.txt", "1\n")
    edit = block("a.txt", "1\n", "2\n")
    state = os.environ["XDG_STATE_HOME"]
    case.applied(block("a.txt", "1\n", "1\n1\n"))
    case.applied(block("a.txt", "1\n1\n", "1\n"))
    apply = os.path.join(state, "bodkin", "apply")
    check(stat.S_IMODE(os.stat(apply).st_mode) == 0o700, "others may look into the state folder")
    # As a checkout makes folders and files: a journal in them is nobody's word.
    os.chmod(apply, 0o755)
    case.refused(edit, says="XDG_STATE_HOME")
    os.chmod(apply, 0o700)
    left = os.listdir(apply)  # but for what `bodkin undo` can take back
    check(all(name.endswith(".change") for name in left), "left: %r" % left)
    name = 0xcbf29ce484222325
    for byte in case.root.encode():
        name = (name ^ byte) * 0x100000001b3 % 2**64
    with open(os.path.join(apply, "%016x.journal" % name), "w") as journal:
        journal.write("bodkin apply 2")
    os.chmod(journal.name, 0o644)
    case.refused(edit, says="is not a journal that bodkin wrote")
    os.unlink(journal.name)
    shutil.rmtree(os.path.join(state, "bodkin"))
    if os.geteuid() == 0:
        os.makedirs(apply, 0o700)
        os.chown(apply, 12345, 12345)
        case.refused(edit, says="another user")
        shutil.rmtree(os.path.join(state, "bodkin"))
    with open(os.path.join(state, "bodkin"), "w"):
        pass  # nothing can be made below a file
    case.refused(edit, says="XDG_STATE_HOME")
    nowhere = {k: v for k, v in os.environ.items() if k not in ("HOME", "XDG_STATE_HOME")}
    case.refused(edit, env=nowhere, says="set HOME or XDG_STATE_HOME")
    home = os.path.join(os.path.dirname(case.root), "home")
    os.mkdir(home)
    case.applied(edit, env=dict(nowhere, HOME=home, XDG_STATE_HOME="relative"))
    check(os.path.isdir(home + "/.local/state/bodkin/apply"), "not below HOME")


def the_state_folder_is_not_edited(case):
    folder = os.path.join(case.root, ".state")
    env = dict(os.environ, XDG_STATE_HOME=folder)
    case.put("a.txt", "1\n")
    check(case.run(block("a.txt", "1\n", "2\n"), env=env).returncode == 0, "not applied")
    case.refused("*** Begin Patch\n*** Add File: .state/bodkin/apply/x.journal\n+x\n*** End Patch\n",
                 env=env, says="belongs to bodkin itself")


def a_second_run_waits_for_the_first(case):
    case.put("a.txt", "1\n2\n")
    held = os.open(case.root, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    process = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    process.stdin.write(block("a.txt", "1\n", "x\n").encode())
    process.stdin.close()
    # It holds the folder open and waits in flock: seen in its state, not guessed from the clock.
    deadline = time.monotonic() + 20
    while "flock" not in open("/proc/%d/wchan" % process.pid).read() and time.monotonic() < deadline:
        if "FLOCK" in open("/proc/locks").read() and "-> FLOCK" in open("/proc/locks").read():
            break
        time.sleep(0.01)
    check(case.get("a.txt") == b"1\n2\n", "it did not wait")
    fcntl.flock(held, fcntl.LOCK_UN)
    os.close(held)
    check(process.wait(20) == 0, "it failed")
    process.stdout.close()
    check(case.get("a.txt") == b"x\n2\n", "it was not applied")


def many_runs_at_once_lose_nothing(case):
    names = ["l%02d" % i for i in range(12)]
    case.put("a.txt", "".join(n + "\n" for n in names))
    processes = []
    for name in names:
        p = subprocess.Popen([case.program, "apply", "--root", case.root], stdin=subprocess.PIPE,
                             stdout=subprocess.DEVNULL)
        p.stdin.write(block("a.txt", name + "\n", name + " done\n").encode())
        p.stdin.close()
        processes.append(p)
    check([p.wait(60) for p in processes] == [0] * len(names), "one of them failed")
    check(case.get("a.txt").decode() == "".join(n + " done\n" for n in names), "an edit was lost")


def diff_and_dry_run_touch_nothing(case):
    case.put("a.txt", "1\n2\n3\n")
    case.put("b.txt", "1")
    reply = block("a.txt", "2\n", "two\n") + "*** Begin Patch\n*** Add File: n.txt\n+x\n" \
        "*** Update File: b.txt\n*** Move to: c.txt\n@@\n-1\n+2\n*** End Patch\n"
    before = case.all()
    done = case.run(reply, "--dry-run")
    check(done.returncode == 0 and done.out == "would change a.txt\nwould create n.txt\n"
          "would move b.txt -> c.txt\n", done.out)
    diff = case.run(reply, "--diff")
    check(diff.returncode == 0 and "\x1b" not in diff.out, diff.out)
    check("-2\n+two\n" in diff.out and "--- /dev/null\n+++ b/n.txt\n" in diff.out and
          "rename from b.txt\nrename to c.txt\n" in diff.out, diff.out)
    check(case.all() == before, "files were touched")
    # The diff is one that others can apply.
    if shutil.which("git"):
        done = subprocess.run(["git", "apply", "-"], input=diff.stdout, cwd=case.root,
                              stderr=subprocess.PIPE,
                              env=dict(os.environ, GIT_CEILING_DIRECTORIES="/"))
        check(done.returncode == 0, done.stderr.decode())
        by_git = case.all()
        shutil.rmtree(case.root)
        for name, text in before.items():
            case.put(name, text)
        case.applied(reply)
        check(case.all() == by_git, "git apply makes something else of the diff")


def colours_come_on_a_terminal_only(case):
    case.put("a.txt", "1\n")
    reply = case.path("reply")
    with open(reply, "w") as out:
        out.write(block("a.txt", "1\n", "2\n"))

    def on_terminal(**environment):
        parent, child = pty.openpty()
        env = dict(os.environ, TERM="xterm")
        env.pop("NO_COLOR", None)
        env.update(environment)
        subprocess.run([case.program, "apply", "--root", case.root, "--diff", reply], stdout=child,
                       env=env, check=True)
        os.close(child)
        out = b""
        try:
            while chunk := os.read(parent, 65536):
                out += chunk
        except OSError:
            pass
        os.close(parent)
        return out
    check(b"\x1b[32m+2\x1b[0m" in on_terminal(), "no colour on a terminal")
    check(b"\x1b" not in on_terminal(NO_COLOR="1"), "NO_COLOR is not respected")
    check(b"\x1b[32m" in on_terminal(NO_COLOR=""), "an empty NO_COLOR counts as set")
    check(b"\x1b" not in on_terminal(TERM="dumb"), "a dumb terminal got colours")


def an_exact_edit_that_breaks_the_syntax_says_so_on_a_terminal(case):
    case.put("a.py", "x = 1\n")
    case.put("b.py", "y = 1\n")
    reply = case.path("reply")
    with open(reply, "w") as out:
        out.write(block("a.py", "x = 1\n", "x = (1\n") + block("b.py", "y = 1\n", "y = 2\n"))
    for option in ("--dry-run", "--diff", None):
        parent, child = pty.openpty()
        done = subprocess.run([case.program, "apply", "--root", case.root, *filter(None, [option]), reply],
                              stdout=subprocess.PIPE, stderr=child, check=True)
        os.close(child)
        said = b""
        try:
            while chunk := os.read(parent, 65536):
                said += chunk
        except OSError:
            pass
        os.close(parent)
        check(b"caution: a.py has a new syntax error at line 1.\r\n" in said and b"b.py" not in said, str((done, said)))


def json_says_everything(case):
    case.put("a.txt", "1\n2\n")
    done = case.run(block("a.txt", "2\n", "two\n"), "--json", "--diff")
    result = json.loads(done.out)
    check(result["ok"] and not result["written"] and result["error"] is None, done.out)
    check(result["files"] == [{"path": "a.txt", "state": "changed",
                               "diff": "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n"}],
          done.out)
    check(result["hunks"] == [{"path": "a.txt", "state": "applied", "line": 2, "quality": "exact"}],
          done.out)
    result = json.loads(case.run(block("a.txt", "2\n", "two\n"), "--json").out)
    check(result["written"], "not written")
    done = case.run(block("a.txt", "nowhere\n", "x\n"), "--json")
    result = json.loads(done.out)
    check(done.returncode == 1 and not result["ok"] and result["error"]["kind"] == "not_found"
          and not result["written"], done.out)


def jsonl_answers_every_line(case):
    good = {"id": 1, "format": "auto", "files": {"a": "1\n"}, "edit": block("a", "1\n", "2\n")}
    lines = [json.dumps(good), "", "{", json.dumps({"id": "x"}), json.dumps({"id": [2], "format": "no",
             "files": {}, "edit": ""}), "[]", "17",
             json.dumps({"id": 3, "files": {"a": 5}, "edit": "x"}),
             json.dumps(dict(good, id=4, files={"a": "1\n", "b": None}))]
    done = case.run("\n".join(lines) + "\n", "--jsonl")
    results = [json.loads(line) for line in done.out.splitlines()]
    check(done.returncode == 0, "exit %d" % done.returncode)
    check([r["id"] for r in results] == [1, None, "x", [2], None, None, 3, 4], done.out)
    check([r["ok"] for r in results] == [True] + [False] * 6 + [True], done.out)
    check(results[0]["files"] == {"a": "2\n"}, done.out)
    check(all(r["error"]["kind"] == "malformed" for r in results[1:7]), done.out)


def jsonl_results_come_as_soon_as_they_are_ready(case):
    process = subprocess.Popen([case.program, "apply", "--jsonl"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    for number in range(3):
        line = json.dumps({"id": number, "files": {"a": "1\n"}, "edit": block("a", "1\n", "2\n")})
        process.stdin.write(line.encode() + b"\n")
        process.stdin.flush()
        check(json.loads(process.stdout.readline())["id"] == number, "out of order")
    process.stdin.close()
    check(process.wait(20) == 0, "exit")
    process.stdout.close()


def a_reply_comes_from_a_file_or_the_clipboard(case):
    case.put("a.txt", "1\n2\n")
    case.put("reply.md", block("a.txt", "1\n", "one\n"))
    check(case.run("", case.path("reply.md")).returncode == 0, "the file was not read")
    check(case.get("a.txt") == b"one\n2\n", "not applied")
    programs = tempfile.mkdtemp()  # in the folder itself it would be a stranger's program
    with open(os.path.join(programs, "wl-paste"), "w") as out:
        out.write("#!/bin/sh\ncat '%s'\n" % case.path("copied"))
    os.chmod(out.name, 0o755)
    case.put("copied", block("a.txt", "2\n", "two\n"))
    env = dict(os.environ, WAYLAND_DISPLAY="w",
               PATH=programs + ":" + os.environ["PATH"])
    env.pop("DISPLAY", None)
    check(case.run("", "--clipboard", env=env).returncode == 0, "the clipboard was not read")
    check(case.get("a.txt") == b"one\ntwo\n", "not applied")
    shutil.rmtree(programs)
    case.put("programs/wl-paste", "#!/bin/sh\ncat '%s'\n" % case.path("copied"), 0o755)
    case.refused("", "--clipboard", env=dict(env, PATH=case.path("programs") + ":/bin"), code=2,
                 says="clipboard cannot be read")
    case.refused("", case.path("missing"), code=2, says="cannot be read")


def a_slip_of_the_fingers_is_named_with_what_was_meant(case):
    for words, says in (("aply", '"aply" (did you mean apply?); '), ("verfiy", "(did you mean verify?)"),
                        ("apply --jsn", "(did you mean --json?)"), ("apply --dryrun=1", "(did you mean --dry-run?)"),
                        ("do", '"do"; '), ("help aply", "(did you mean apply?)"), ("something", '"something"; '), ("apply --nonsense", "--nonsense; ")):
        done = subprocess.run([case.program, *words.split()], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        check(done.returncode == 2 and says in done.stderr, str(done))


def help_and_version_are_commands_too(case):
    for words, option in (("help", "--help"), ("version", "--version"), ("help apply", "apply --help")):
        done, as_option = (subprocess.run([case.program, *each.split()], capture_output=True, text=True) for each in (words, option))
        check(done.returncode == 0 and done.stdout == as_option.stdout and not done.stderr, str(done))


def what_is_wrong_with_the_command_line_is_2(case):
    for arguments in [["--format", "nonsense"], ["--nonsense"], ["--root"]]:
        done = case.run("", *arguments)
        check(done.returncode == 2, "%r: exit %d" % (arguments, done.returncode))
    done = case.run("", "--root", case.path("missing"), root=False)
    check(done.returncode == 2 and "not a folder" in done.err, done.err)


def help_has_examples_and_exit_codes(case):
    done = case.run("", "--help")
    check(done.returncode == 0 and "EXIT STATUS" in done.out and "EXAMPLES" in done.out, done.out)
    check(done.out.startswith("Apply a model's reply to files\n"), done.out)
    for command in ("acp", "apply", "ask", "check", "complete", "completion", "context", "history", "manual", "mcp",
                    "replay", "settings", "verify"):
        shown = subprocess.run([case.program, command, "--help"], capture_output=True, text=True).stdout
        heading, rest = shown.split("\n", 1)
        check(rest.startswith("Usage: "), "the heading is folded: " + shown[:200])
        page = subprocess.run([case.program, "manual", command], capture_output=True, text=True).stdout
        for text in (shown, page):
            check("EXAMPLES\n" in text and not re.search(r"\b(fI)?(TEXT|INT)\b|:{", text), text)
        check(max(map(len, (heading + rest.split("\n", 1)[1]).splitlines())) <= 80, "a line is too long: " + shown)


def the_readmes_first_example_works(case):
    readme = (pathlib.Path(__file__).parents[2] / "README.md").read_text()
    reply = readme.split("of this reply, `reply.md`:\n\n")[1].split("\n`bodkin apply --diff")[0]
    reply = "".join(line[4:] if line.strip() else line for line in reply.splitlines(keepends=True))
    case.put("shapes.py", "def area(r):\n    return 3.14 * r * r\n")
    done = case.run(reply)
    check(done.returncode == 0 and "changed shapes.py" in done.out, str(done))
    check(case.get("shapes.py") == b"import math\n\n\ndef area(r):\n    return math.pi * r * r\n", case.get("shapes.py"))
    again = case.run(reply)
    check(again.returncode == 0 and "already in place" in again.out, str(again))


def a_signal_does_not_leave_half(case):
    """Ctrl-C during the change: the change is finished first, or has not begun."""
    names = ["f%02d.txt" % i for i in range(60)]
    came_in_between = 0
    for attempt in range(6):
        process = begun(case, names)
        while process.poll() is None and not case.journals():
            pass
        wanted = signal.SIGINT if attempt % 2 else signal.SIGTERM
        process.send_signal(wanted)
        is_between = bool(case.journals())
        process.wait(60)
        came_in_between += is_between
        check(process.returncode == -wanted or not is_between, "the signal is lost: exit %d" % process.returncode)
        check(len({case.get(n) for n in names}) == 1, "half of the files are changed")
        check(sorted(case.all()) == names, "something is left: %r" % sorted(case.all()))
    check(came_in_between, "no signal came during the change")


def what_a_person_reads_of_a_refusal_does_not_speak_of_their_edit(case):
    case.put("a.txt", "1\n2\n1\n")
    for reply in (block("a.txt", "7\n", "8\n"), block("a.txt", "1\n", "8\n"),
                  block("a.txt", "1\n2\n", "8\n") + block("a.txt", "2\n", "9\n"), block("a.txt", "2\n", "x\n") + block("a.txt", "7\n", "y\n")):
        said = case.refused(reply).err.split("Send this back to the model")[0]
        check(said.startswith("bodkin apply: ") and "your edit" not in said and "hunk" not in said, said)


def main():
    program = os.path.abspath(sys.argv[1])
    tests = {name: value for name, value in list(globals().items())
             if callable(value) and getattr(value, "__code__", None)
             and value.__code__.co_varnames[:1] == ("case",) and value.__code__.co_argcount == 1}

    def attempt(test):
        folder = os.path.realpath(tempfile.mkdtemp(prefix="bodkin-cli-"))
        try:
            root = os.path.join(folder, "root")
            os.makedirs(root)
            os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
            test(Case(program, root))
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    run_all(tests, attempt, sys.argv[2:])


if __name__ == "__main__":
    main()
