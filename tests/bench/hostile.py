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


PART = 23_000  # lines of FILE that are about half of SIZE
FILE = "".join("line %d of the file\n" % n for n in range(1, 50_001))


def lines(count):
    return "".join(FILE.splitlines(True)[:count])


SAME = "a\n" * 500_000
LETTERS = "ab" * 500_000

# name: (format, the file f.py, the reply); made one at a time: a child's peak begins with its parent's size
CASES = {
    "prose": lambda: ("auto", FILE, repeated("Some words of prose, and `code` in it.\n")),
    "one line": lambda: ("auto", FILE, "f.py " * (SIZE // 5)),
    "blank lines": lambda: ("auto", FILE, "\n" * SIZE),
    "fences": lambda: ("auto", FILE, repeated("```\n")),
    "fences with names": lambda: ("auto", FILE, repeated("f.py\n```python\n")),
    "headings": lambda: ("auto", FILE, repeated("# f.py\n")),
    "SEARCH markers": lambda: ("auto", FILE, repeated("<<<<<<< SEARCH\n", "f.py\n")),
    "dividers": lambda: ("auto", FILE, repeated("=======\n", "f.py\n<<<<<<< SEARCH\n", ">>>>>>> REPLACE\n")),
    "many blocks": lambda: ("auto", FILE, numbered("f.py\n<<<<<<< SEARCH\nline %d of the file\n=======\nl %d\n>>>>>>> REPLACE\n")),
    "blocks that are not there": lambda: ("auto", FILE, numbered("f.py\n<<<<<<< SEARCH\nno %d\n=======\nl\n>>>>>>> REPLACE\n")),
    "blocks of many files": lambda: ("auto", FILE, numbered("d/f%d.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n")),
    "one long block": lambda: ("auto", FILE, "f.py\n<<<<<<< SEARCH\n" + lines(PART) + "=======\n" + lines(PART).replace("of", "in")
                       + ">>>>>>> REPLACE\n"),
    "equal lines in a block": lambda: ("auto", SAME, "f.py\n<<<<<<< SEARCH\n" + "a\n" * 240_000 + "=======\n" + "a\nb\n" * 120_000
                               + ">>>>>>> REPLACE\n"),
    "file-edit tags": lambda: ("auto", FILE, repeated('<file-edit filePath="f.py">\n')),
    "patch headers": lambda: ("auto", FILE, repeated("*** Update File: f.py\n")),
    "patches": lambda: ("auto", FILE, numbered("*** Begin Patch\n*** Update File: f.py\n-line %d of the file\n+l\n*** End Patch\n")),
    "patch hunks": lambda: ("auto", FILE, numbered("@@\n-line %d of the file\n+l %d\n", "*** Begin Patch\n*** Update File: f.py\n", "*** End Patch\n")),
    "patch anchors": lambda: ("auto", FILE, numbered("@@ line %d of the file\n", "*** Begin Patch\n*** Update File: f.py\n", "-x\n*** End Patch\n")),
    "patch of blank lines": lambda: ("auto", FILE, repeated("\n", "*** Begin Patch\n*** Add File: n\n", "*** End Patch\n")),
    "diff headers": lambda: ("auto", FILE, repeated("--- a/f.py\n+++ b/f.py\n")),
    "diff hunks": lambda: ("auto", FILE, numbered("@@ -%d +%d @@\n-line %d of the file\n+l\n", "--- a/f.py\n+++ b/f.py\n")),
    "empty hunks": lambda: ("auto", FILE, repeated("@@\n", "--- a/f.py\n+++ b/f.py\n")),
    "blank lines in a hunk": lambda: ("auto", FILE, repeated("\n", "--- a/f.py\n+++ b/f.py\n@@ -1,9999999 +1,9999999 @@\n")),
    "JSON brackets": lambda: ("auto", FILE, repeated("[")),
    "JSON objects in objects": lambda: ("auto", FILE, repeated('{"edits":[')),
    "JSON that begins on every line": lambda: ("auto", FILE, repeated('{"a\n')),
    "JSON quotes": lambda: ("auto", FILE, repeated('{"old_str": "\n')),
    "JSON edits": lambda: ("auto", FILE, numbered('{"path": "f.py", "old_str": "line %d of", "new_str": "l"}\n')),
    "JSON list": lambda: ("str_replace", FILE, "[" + numbered('{"path": "f.py", "old_str": "line %d of", "new_str": "l"},\n') + "]"),
    "line edits": lambda: ("line_edits", FILE, "[" + numbered('{"start_line": %d, "end_line": %d, "replacement": "l"},\n') + "]"),
    "replace every letter": lambda: ("str_replace", LETTERS, '{"path": "f.py", "old_str": "a", "new_str": "xyz", "replace_all": true}'),
    "replace every line": lambda: ("str_replace", SAME, '{"path": "f.py", "old_str": "a\\n", "new_str": "b\\n", "replace_all": true}'),
    "call tags": lambda: ("auto", FILE, repeated("<edit>\n")),
    "call values": lambda: ("auto", FILE, repeated("<path>\n", "<edit>\n")),
    "values without end": lambda: ("auto", FILE, repeated("<edit><path>f.py\n")),
    "values that close": lambda: ("auto", FILE, repeated("</content>\n", "<write_file>\n<path>f.py</path>\n<content>\n")),
    "whole file": lambda: ("auto", FILE, "f.py\n```\n" + lines(2 * PART) + "```\n"),
    "whole file of equal lines": lambda: ("auto", SAME, "f.py\n```\n" + "a\nb\n" * 240_000 + "```\n"),
    "elisions": lambda: ("auto", FILE, repeated("# ... existing code ...\n", "f.py\n```python\n", "```\n")),
    "sketch of equal lines": lambda: ("auto", SAME, "f.py\n```\n# ... existing code ...\n" + "a\n" * 480_000 + "b\n```\n"),
    "sketch": lambda: ("auto", FILE, numbered("line %d of the file\n# ... existing code ...\n", "f.py\n```python\n", "```\n")),
    "NUL bytes": lambda: ("auto", FILE, "\0" * SIZE),
    "not UTF-8": lambda: ("auto", FILE, "\udcff" * SIZE),
}


def main():
    program, part = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    crashed = False
    print("%-38s %7s %8s %8s  %s" % ("", "bytes", "user s", "MB", "answer"))
    for name, make in CASES.items():
        if part not in name:
            continue
        form, before, reply = make()
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
