#!/usr/bin/env python3
"""Checks the formats against each other, and against git, patch and diff.

    python3 tests/edits/cross.py BODKIN [EDITS]

Random edits of random files are written in every format; each must give the same bytes, with the format
named and with the format found. What diff(1) writes must be applied as `git apply` and `patch` do it.
Each edit is also applied backwards, which must give the old bytes again. The seeds are fixed. The
last line is: N passed, N failed, N skipped.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

WORDS = "count value table name index node parse read write total first last item key state".split()


def random_line(rng, unit):
    kind = rng.random()
    indent = unit * rng.choice([0, 1, 1, 2])
    if kind < 0.12:
        return ""
    if kind < 0.2:
        return indent + rng.choice(["}", "end", "return", "else:", "# ---", "});"])
    return "%s%s_%d = %s(%s, %d);%s" % (indent, rng.choice(WORDS), rng.randrange(1000), rng.choice(WORDS),
                                        rng.choice(WORDS), rng.randrange(100), rng.choice(["", "", "  // über"]))


class Edit:
    """Regions [begin, end) of the old lines become new lines; the regions are apart."""

    def __init__(self, rng):
        unit = rng.choice(["    ", "\t"])
        self.old = [random_line(rng, unit) for _ in range(rng.choice([1, 5, 30, 80]))]
        self.old = self.old if any(self.old) else ["only = line;"]
        self.regions = []
        at = 0
        for _ in range(rng.randrange(1, 5)):
            begin = at + rng.choice([0, 1, 4, 9, 20])
            if begin > len(self.old):
                break
            end = min(len(self.old), begin + rng.choice([0, 1, 1, 2, 5]))
            new = [random_line(rng, unit) for _ in range(rng.choice([0, 1, 1, 2, 6]))]
            if new == self.old[begin:end]:
                continue
            self.regions.append((begin, end, new))
            at = end + 1
        self.regions = self.regions or [(0, 1, ["changed = line;"])]
        self.new = self.old[:]
        for begin, end, new in reversed(self.regions):
            self.new[begin:end] = new
        self.line_end = rng.choice(["\n", "\n", "\r\n"])
        self.usable = self.old != self.new and any(self.new) and any(self.old)

    def backwards(self):
        other = object.__new__(Edit)
        other.old, other.new, other.line_end, other.usable = self.new, self.old, self.line_end, self.usable
        other.regions, moved = [], 0
        for begin, end, new in self.regions:
            other.regions.append((begin + moved, begin + moved + len(new), self.old[begin:end]))
            moved += len(new) - (end - begin)
        return other

    def bytes_of(self, lines):
        return "".join(line + self.line_end for line in lines)


def occurs(lines, part):
    return sum(lines[i:i + len(part)] == part for i in range(len(lines) - len(part) + 1))


def quoted(edit):
    """(first line, quoted old lines, new lines) of each region, with as much context that the quote is unique
    and speaks for itself; regions whose quotes touch are one. None: the file is too repetitive."""
    blocks = [list(r) for r in edit.regions]
    for block in blocks:
        block.append(list(block[2]))
    grown = []
    for begin, end, new, _ in blocks:
        low, high = begin, end
        while True:
            part = edit.old[low:high]
            if sum(1 for line in part if line.strip()) >= 2 and occurs(edit.old, part) == 1:
                break
            if low == 0 and high == len(edit.old):
                break
            low, high = max(0, low - 1), min(len(edit.old), high + 1)
        grown.append((low, high, begin, end, new))
    merged = []
    for low, high, begin, end, new in grown:
        if merged and low <= merged[-1]["high"]:
            merged[-1]["high"] = max(high, merged[-1]["high"])
            merged[-1]["changes"].append((begin, end, new))
        else:
            merged.append({"low": low, "high": high, "changes": [(begin, end, new)]})
    result = []
    for block in merged:
        text, at = [], block["low"]
        for begin, end, new in block["changes"]:
            text += edit.old[at:begin] + new
            at = end
        text += edit.old[at:block["high"]]
        result.append((block["low"], edit.old[block["low"]:block["high"]], text))
    return result


def text(lines):
    return "".join(line + "\n" for line in lines)


def search_replace(edit):
    return "".join("f.py\n```\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n```\n\n" % (text(old), text(new))
                   for _, old, new in quoted(edit))


def search_replace_dashes(edit):
    return '<file-edit filePath="f.py">\n%s</file-edit>\n' % "".join(
        "------- SEARCH\n%s=======\n%s+++++++ REPLACE\n" % (text(old), text(new)) for _, old, new in quoted(edit))


def roo(edit):
    return "<apply_diff>\n<path>f.py</path>\n<diff>\n%s</diff>\n</apply_diff>\n" % "".join(
        "<<<<<<< SEARCH\n:start_line:%d\n-------\n%s=======\n%s>>>>>>> REPLACE\n\n" % (low + 1, text(old), text(new))
        for low, old, new in quoted(edit))


def patch(edit):
    hunks = []
    for low, old, new in quoted(edit):
        head = 0
        while head < min(len(old), len(new)) and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        lines = [" " + line for line in old[:head]] + ["-" + line for line in old[head:len(old) - tail]]
        lines += ["+" + line for line in new[head:len(new) - tail]] + [" " + line for line in old[len(old) - tail:]]
        hunks.append("@@\n" + text(lines))
    return "*** Begin Patch\n*** Update File: f.py\n%s*** End Patch\n" % "".join(hunks)


def str_replace(edit):
    return "\n".join(json.dumps({"path": "f.py", "old_str": text(old), "new_str": text(new)})
                     for _, old, new in quoted(edit))


def tags(edit):
    return "\n".join('<invoke name="edit"><parameter name="path">f.py</parameter>\n<parameter name="old_str">\n%s'
                     '</parameter>\n<parameter name="new_str">\n%s</parameter>\n</invoke>' % (text(old), text(new))
                     for _, old, new in quoted(edit))


def line_edits(edit):
    return json.dumps([{"path": "f.py", "start_line": begin + 1, "end_line": end, "replacement": text(new)}
                       for begin, end, new in edit.regions])


def whole(edit):
    return "f.py\n```python\n%s```\n" % text(edit.new)


def diff(*options, top="", fence="diff"):
    def render(edit):
        with tempfile.TemporaryDirectory() as folder:
            for name, lines in (("a", edit.old), ("b", edit.new)):
                os.mkdir(os.path.join(folder, name))
                with open(os.path.join(folder, name, "f.py"), "w", newline="") as file:
                    file.write(text(lines))
            done = subprocess.run(["diff", *options, "a/f.py", "b/f.py"], cwd=folder, stdout=subprocess.PIPE)
            return top + done.stdout.decode()
    return render


FORMATS = {
    "search_replace": search_replace,
    "search_replace_dashes": search_replace_dashes,
    "roo": roo,
    "patch": patch,
    "unified": diff("-u"),
    "unified -U0": diff("-U0"),
    "git": diff("-u", top="diff --git a/f.py b/f.py\nindex 1234567..89abcde 100644\n"),
    "str_replace": str_replace,
    "str_replace tags": tags,
    "line_edits": line_edits,
    "whole": whole,
}
NAMES = {"unified -U0": "unified", "git": "unified", "str_replace tags": "str_replace"}


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def check(self, good, *words):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            if self.failed <= 5:
                print("FAILED:", *words, sep="\n")


def applied_by(command, edit, written):
    """The file after `command` has read the diff; None if it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f.py")
        with open(path, "w", newline="") as file:
            file.write(text(edit.old))
        done = subprocess.run(command, cwd=folder, input=written.encode(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            return None
        if not os.path.exists(path):
            return ""
        with open(path, newline="") as file:
            return file.read()


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 120
    edits = []
    for seed in range(count):
        edit = Edit(random.Random(seed))
        if edit.usable:
            edits += [edit, edit.backwards()]
    cases, wanted = [], {}
    for number, edit in enumerate(edits):
        for name, render in FORMATS.items():
            written = render(edit)
            for form in (NAMES.get(name, name), "auto"):
                case = {"id": "%d %s %s" % (number, name, form), "format": form, "edit": written,
                        "files": {"f.py": edit.bytes_of(edit.old)}, "options": {"path": "f.py"}}
                cases.append(case)
                wanted[case["id"]] = edit.bytes_of(edit.new)
    done = subprocess.run([program, "apply", "--jsonl"], input="".join(json.dumps(c) + "\n" for c in cases).encode(),
                          stdout=subprocess.PIPE)
    results = {r["id"]: r for r in map(json.loads, done.stdout.decode().splitlines())}
    checks = Checks()
    for case in cases:
        result = results.get(case["id"], {"error": {"kind": "no answer"}, "files": {}})
        after, refused = result["files"].get("f.py"), (result["error"] or {}).get("kind") == "malformed"
        # Much that is left out of a fence that nobody called whole is not taken for gone.
        is_doubted = case["id"].endswith(" whole auto") and refused and after == case["files"]["f.py"]
        checks.check(after == wanted[case["id"]] or is_doubted, case["id"], case["edit"],
                     json.dumps(case["files"]["f.py"]), json.dumps(wanted[case["id"]]), json.dumps(result))
    others = {"git": (["git", "apply", "-"], FORMATS["git"]), "patch": (["patch", "-p1", "-s"], FORMATS["unified"])}
    skipped = 0
    for name, (command, render) in others.items():
        if not shutil.which(command[0]):
            print("skipped: there is no %s here" % command[0])
            skipped += 1
            continue
        for number, edit in enumerate(edits):
            after = applied_by(command, edit, render(edit))
            checks.check(after == text(edit.new), "%d: %s does not agree" % (number, name), render(edit),
                         json.dumps(edit.old), json.dumps(after))
    print("%d passed, %d failed, %d skipped" % (checks.passed, checks.failed, skipped))
    return checks.failed != 0


if __name__ == "__main__":
    sys.exit(main())
