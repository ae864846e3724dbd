#!/usr/bin/env python3
"""Prints what hostile replies of one megabyte cost the real program: user seconds and peak memory.

    python3 tests/bench/hostile.py BODKIN [PART-OF-A-NAME]

Each case is a run of `bodkin apply --dry-run` of its own, so that both figures are its own. The aim is
1 s and 200 MB; what is above is marked. An input that ends the program by a signal fails the run.
"""
import os
import subprocess
import sys
import tempfile

SIZE = 1_000_000


def repeated(piece, top="", bottom=""):
    return top + piece * ((SIZE - len(top) - len(bottom)) // len(piece)) + bottom


def numbered(line, top="", bottom=""):
    """`line` with a running number in place of %d."""
    parts, size, n = [top], len(top), 0
    while size < SIZE:
        n += 1
        parts.append(line.replace("%d", str(n)))
        size += len(parts[-1])
    return "".join(parts) + bottom


FILE = "".join("line %d of the file\n" % n for n in range(1, 50_001))
SAME = "a\n" * 500_000
LETTERS = "ab" * 500_000

# name: (format, the file f.py, the reply)
CASES = {
    "prose": ("auto", FILE, repeated("Some words of prose, and `code` in it.\n")),
    "one line": ("auto", FILE, "f.py " * (SIZE // 5)),
    "blank lines": ("auto", FILE, "\n" * SIZE),
    "fences": ("auto", FILE, repeated("```\n")),
    "fences with names": ("auto", FILE, repeated("f.py\n```python\n")),
    "headings": ("auto", FILE, repeated("# f.py\n")),
    "SEARCH markers": ("auto", FILE, repeated("<<<<<<< SEARCH\n", "f.py\n")),
    "dividers": ("auto", FILE, repeated("=======\n", "f.py\n<<<<<<< SEARCH\n", ">>>>>>> REPLACE\n")),
    "many blocks": ("auto", FILE, numbered("f.py\n<<<<<<< SEARCH\nline %d of the file\n=======\nl %d\n>>>>>>> REPLACE\n")),
    "blocks that are not there": ("auto", FILE, numbered("f.py\n<<<<<<< SEARCH\nno %d\n=======\nl\n>>>>>>> REPLACE\n")),
    "blocks of many files": ("auto", FILE, numbered("d/f%d.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n")),
    "one long block": ("auto", FILE, "f.py\n<<<<<<< SEARCH\n" + FILE[:480_000] + "=======\n" + FILE[:480_000].replace("of", "in")
                       + ">>>>>>> REPLACE\n"),
    "equal lines in a block": ("auto", SAME, "f.py\n<<<<<<< SEARCH\n" + "a\n" * 240_000 + "=======\n" + "a\nb\n" * 120_000
                               + ">>>>>>> REPLACE\n"),
    "file-edit tags": ("auto", FILE, repeated('<file-edit filePath="f.py">\n')),
    "patch headers": ("auto", FILE, repeated("*** Update File: f.py\n")),
    "patches": ("auto", FILE, numbered("*** Begin Patch\n*** Update File: f.py\n-line %d of the file\n+l\n*** End Patch\n")),
    "patch hunks": ("auto", FILE, numbered("@@\n-line %d of the file\n+l %d\n", "*** Begin Patch\n*** Update File: f.py\n", "*** End Patch\n")),
    "patch anchors": ("auto", FILE, numbered("@@ line %d of the file\n", "*** Begin Patch\n*** Update File: f.py\n", "-x\n*** End Patch\n")),
    "patch of blank lines": ("auto", FILE, repeated("\n", "*** Begin Patch\n*** Add File: n\n", "*** End Patch\n")),
    "diff headers": ("auto", FILE, repeated("--- a/f.py\n+++ b/f.py\n")),
    "diff hunks": ("auto", FILE, numbered("@@ -%d +%d @@\n-line %d of the file\n+l\n", "--- a/f.py\n+++ b/f.py\n")),
    "empty hunks": ("auto", FILE, repeated("@@\n", "--- a/f.py\n+++ b/f.py\n")),
    "blank lines in a hunk": ("auto", FILE, repeated("\n", "--- a/f.py\n+++ b/f.py\n@@ -1,9999999 +1,9999999 @@\n")),
    "context hunks": ("auto", FILE, numbered("***************\n*** %d ****\n! line %d of the file\n--- %d ----\n! l\n", "*** f.py\n--- f.py\n")),
    "context stars": ("auto", FILE, repeated("***************\n*** 1,7 ****\n", "*** f.py\n--- f.py\n")),
    "normal commands": ("auto", FILE, numbered("%dc%d\n< line %d of the file\n---\n> l\n", "diff a/f.py b/f.py\n")),
    "normal commands that nothing follows": ("auto", FILE, repeated("1c1\n", "diff a/f.py b/f.py\n")),
    "ed script": ("ed", FILE, numbered("%dc\nl %d\n.\n")),
    "ed deletions": ("ed", SAME, "\n".join("%dd" % n for n in range(140_000, 0, -1)) + "\n"),
    "ed text without end": ("ed", FILE, repeated("x\n", "1a\n")),
    "RCS script": ("rcs", FILE, numbered("d%d 1\na%d 1\nl\n")),
    "RCS deletions": ("rcs", SAME, numbered("d%d 1\n")),
    "JSON brackets": ("auto", FILE, repeated("[")),
    "JSON objects in objects": ("auto", FILE, repeated('{"edits":[')),
    "JSON that begins on every line": ("auto", FILE, repeated('{"a\n')),
    "JSON quotes": ("auto", FILE, repeated('{"old_str": "\n')),
    "JSON edits": ("auto", FILE, numbered('{"path": "f.py", "old_str": "line %d of", "new_str": "l"}\n')),
    "JSON list": ("str_replace", FILE, "[" + numbered('{"path": "f.py", "old_str": "line %d of", "new_str": "l"},\n') + "]"),
    "line edits": ("line_edits", FILE, "[" + numbered('{"start_line": %d, "end_line": %d, "replacement": "l"},\n') + "]"),
    "replace every letter": ("str_replace", LETTERS, '{"path": "f.py", "old_str": "a", "new_str": "xyz", "replace_all": true}'),
    "replace every line": ("str_replace", SAME, '{"path": "f.py", "old_str": "a\\n", "new_str": "b\\n", "replace_all": true}'),
    "call tags": ("auto", FILE, repeated("<edit>\n")),
    "call values": ("auto", FILE, repeated("<path>\n", "<edit>\n")),
    "values without end": ("auto", FILE, repeated("<edit><path>f.py\n")),
    "values that close": ("auto", FILE, repeated("</content>\n", "<write_file>\n<path>f.py</path>\n<content>\n")),
    "whole file": ("auto", FILE, "f.py\n```\n" + FILE[:900_000] + "```\n"),
    "whole file of equal lines": ("auto", SAME, "f.py\n```\n" + "a\nb\n" * 240_000 + "```\n"),
    "elisions": ("auto", FILE, repeated("# ... existing code ...\n", "f.py\n```python\n", "```\n")),
    "sketch": ("auto", FILE, numbered("line %d of the file\n# ... existing code ...\n", "f.py\n```python\n", "```\n")),
    "NUL bytes": ("auto", FILE, "\0" * SIZE),
    "not UTF-8": ("auto", FILE, "\udcff" * SIZE),
}


def main():
    program, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    crashed = False
    print("%-38s %7s %8s %8s  %s" % ("", "bytes", "user s", "MB", "answer"))
    for name, (form, before, reply) in CASES.items():
        if part not in name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "f.py"), "w", newline="") as file:
                file.write(before)
            data = reply.encode("utf-8", "surrogateescape")
            process = subprocess.Popen([program, "apply", "--root", folder, "--dry-run", "--format", form, "--path", "f.py"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            process.stdin.write(data)
            process.stdin.close()
            answer = process.stdout.read().decode(errors="replace")
            _, status, usage = os.wait4(process.pid, 0)
            megabytes = usage.ru_maxrss / 1024
            slow = "  <-- above" if usage.ru_utime > 1 or megabytes > 200 else ""
            killed = os.WIFSIGNALED(status)
            crashed = crashed or killed
            words = "KILLED BY SIGNAL %d" % os.WTERMSIG(status) if killed else answer.split("\n")[0][:70]
            print("%-38s %7d %8.2f %8.0f  %s%s" % (name, len(data), usage.ru_utime, megabytes, words, slow), flush=True)
    return crashed


if __name__ == "__main__":
    sys.exit(main())
