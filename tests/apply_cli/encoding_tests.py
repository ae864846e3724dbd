"""Files in other encodings, and line ends."""
import json
import os
import shutil
import subprocess

from cli_support import block, check


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


def a_reply_that_powershell_has_redirected_is_read(case):
    for coding in ("utf-16-le", "utf-16-be"):
        case.put("a.txt", "a\nb\n")
        reply = "\ufeffI changed it:\r\n\r\n" + block("a.txt", "b\n", "é 日\n").replace("\n", "\r\n")
        case.applied(reply.encode(coding))
        check(case.get("a.txt") == "a\né 日\n".encode(), "%s: %r" % (coding, case.get("a.txt")))


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
