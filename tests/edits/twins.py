#!/usr/bin/env python3
"""Checks the engine against a slow second one (reference.py) on random small cases.

    python3 tests/edits/twins.py BODKIN [CASES [SEED]]

The files repeat their lines and have near twins; the quotes are off in white space, punctuation, a line, a number. What
stands in the file byte for byte, once, must be placed there. Whatever else is placed, nothing may change but what the hunks
remove and add; and what is refused stays as it was. The seed is fixed. The last line is: N passed, N failed, N skipped.
"""
import json
import random
import subprocess
import sys
from collections import Counter

from reference import Hunk, indentation, is_blank, judge, punctuation, whitespace

PATH = "f.xyz"  # no language: a parser has no say
POOL = ["alpha = 1;", "beta = 2;", "gamma(alpha, beta);", "return alpha;", "}", "delta  =  3;", 'say("one  two");',
        "say(“one”);", "omega – 5;", "", "alpha = 1;"]
FRESH = "fresh value entry node token".split()


def shifted(line, by, unit):
    if is_blank(line):
        return line
    return unit * by + line if by > 0 else line[len(unit) * -by:] if line.startswith(unit * -by) else line


def random_file(rng, unit):
    def some(most):
        return [shifted(rng.choice(POOL), rng.choice([0, 0, 1, 2]), unit) for _ in range(rng.randrange(most + 1))]
    block = some(4) or ["alpha = 1;"]
    lines = some(4)
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        twin = list(block)
        for _ in range(rng.choice([0, 0, 1, 2])):
            i = rng.randrange(len(twin))
            twin[i] = noisy(rng, twin[i], rng.choice(["trailing", "indented", "inner", "spelled", "other"]), unit)
        lines += twin + some(3)
    return lines


def noisy(rng, line, kind, unit):
    """The line as a model, or another place, may have it."""
    if kind == "trailing":
        return line + rng.choice([" ", "  ", "\t"])
    if kind == "indented":
        return shifted(line, rng.choice([-1, 1]), unit)
    if kind == "inner":
        return line.replace("  ", " ") if "  " in line else line.replace(" = ", "  = ").replace(", ", ",  ")
    if kind == "spelled":
        return line.translate({ord('"'): rng.choice("“”"), ord("“"): '"', ord("–"): "-", ord("-"): "–"})
    if kind == "other":
        return indentation(line) + rng.choice(POOL)
    return line


def quote(rng, file, unit):
    """The old lines of a hunk: some of the file's, and how they are off."""
    begin = rng.randrange(len(file))
    old = file[begin:begin + rng.choice([1, 2, 2, 3, 3, 4, 6])]
    kind = rng.choice(["", "", "", "trailing", "moved", "converted", "indented", "inner", "spelled", "other", "gap"])
    if kind == "moved":
        by = rng.choice([-2, -1, 1, 2])
        old = [shifted(line, by, unit) for line in old]
    elif kind == "converted":
        other = "    " if unit == "\t" else "\t"
        old = [indentation(line).replace(unit, other) + line[len(indentation(line)):] for line in old]
    elif kind == "gap":
        at = rng.randrange(len(old) + 1)
        old = old[:at] + [""] + old[at:]
    elif kind:
        share = rng.choice([0.3, 1])
        old = [noisy(rng, line, kind, unit) if rng.random() < share else line for line in old]
    return begin, old


def random_hunk(rng, file, unit, number):
    begin, old = quote(rng, file, unit)
    lines = []

    def add():
        known = rng.random() < 0.1
        text = rng.choice(POOL) if known else "%s_%d(%d);" % (rng.choice(FRESH), number, rng.randrange(9))
        if rng.random() < 0.1:
            text += rng.choice([" “x”", "  ", ' "x"'])
        lines.append(("+", indentation(rng.choice(old)) + text))
    for line in old:
        if rng.random() < 0.15:
            add()
        kept = rng.random() < 0.6
        lines.append((" " if kept else "-", line))
        if not kept and rng.random() < 0.7:
            add()
    if all(sign == " " for sign, _ in lines):
        add()
    return begin, lines


def between_halves(old, new):
    """The line diff of two halves: what both begin and end with, and the longest common lines between."""
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    a, b = old[head:len(old) - tail], new[head:len(new) - tail]
    common = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            common[i][j] = common[i + 1][j + 1] + 1 if a[i] == b[j] else max(common[i + 1][j], common[i][j + 1])
    lines, i, j = [(" ", line) for line in old[:head]], 0, 0
    while i < len(a) or j < len(b):
        if i < len(a) and j < len(b) and a[i] == b[j]:
            lines.append((" ", a[i]))
            i, j = i + 1, j + 1
        elif j == len(b) or (i < len(a) and common[i + 1][j] >= common[i][j + 1]):
            lines.append(("-", a[i]))
            i += 1
        else:
            lines.append(("+", b[j]))
            j += 1
    return lines + [(" ", line) for line in old[len(old) - tail:]]


class Case:
    def __init__(self, rng, number):
        unit = rng.choice(["    ", "  ", "\t"])
        self.file = random_file(rng, unit)
        self.open_end = rng.random() < 0.15 and self.file[-1] != ""
        self.line_end = rng.choice(["\n", "\n", "\r\n"] if len(self.file) > 1 else ["\n"])
        self.is_diff = rng.random() < 0.5
        self.selection = None
        self.hunks = []
        text = []
        count = rng.choice([1, 1, 1, 2, 3])
        drafts = [random_hunk(rng, self.file, unit, number * 10 + i) for i in range(count)]
        for begin, lines in sorted(drafts, key=lambda draft: draft[0] if rng.random() < 0.9 else 0):
            old, new = ([t for s, t in lines if s != x] for x in "+-")
            if self.is_diff:
                hint = None if rng.random() < 0.3 else max(0, begin + rng.choice([0, 0, 0, 1, -1, 3, 30]))
                self.hunks.append(Hunk(lines, hint, True))
                text.append("@@" if hint is None else "@@ -%d,%d +%d,%d @@" % (hint + 1, len(old), hint + 1, len(new)))
                text += [sign + line for sign, line in lines]
            else:
                self.hunks.append(Hunk(between_halves(old, new)))
                text += [PATH, "<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE", ""]
        if self.is_diff:
            text = ["--- a/" + PATH, "+++ b/" + PATH] + text
        elif count == 1 and rng.random() < 0.25:
            begin = rng.randrange(len(self.file))
            self.selection = begin, min(len(self.file), begin + rng.choice([1, 3, 8]))
        self.edit = "\n".join(text) + "\n"
        self.id = number
        # A block that quotes one blank line makes a new file, and the same block twice is one edit.
        self.usable = not any(all(map(is_blank, hunk.old)) and len(hunk.old) == 1 for hunk in self.hunks) and \
            all(a.lines != b.lines for i, a in enumerate(self.hunks) for b in self.hunks[:i]) and \
            all(hunk.added or hunk.removed for hunk in self.hunks)

    def bytes_of(self, lines):
        end = "" if self.open_end or not lines else self.line_end
        return self.line_end.join(lines) + end

    def as_json(self):
        options = {}
        if self.selection:
            options = {"selection": {"path": PATH, "start_line": self.selection[0] + 1, "end_line": self.selection[1]}}
        return {"id": self.id, "format": "unified" if self.is_diff else "search_replace", "edit": self.edit,
                "files": {PATH: self.bytes_of(self.file)}, "options": options}


def lines_of(text):
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def is_sound(case, after):
    """Are the lines of the file all there, but for what the hunks remove, and nothing but what they add? Does it end as it
    did?"""
    def count(lines):
        return Counter(whitespace(punctuation(line)) for line in lines if not is_blank(line))
    gone, come = ([line for hunk in case.hunks for line in getattr(hunk, side)] for side in ("removed", "added"))
    blank_end = any(map(is_blank, come + case.file))  # a blank line without a line end is none
    same_end = not after or blank_end or after.endswith("\n") != case.open_end
    return same_end and count(lines_of(after)) + count(gone) == count(case.file) + count(come)


def difference(case, answer, seen):
    """What is not as it must be, or nothing."""
    verdicts = judge(case.file, case.hunks, case.selection, case.open_end)
    after = answer["files"][PATH]
    if not answer["ok"]:
        if after != case.bytes_of(case.file):
            return "it is refused, and changed"
        exact = [v.rung == "exact" and not v.may_be_there and not v.may_be_refused and not v.refused for v in verdicts]
        seen["refused"] += 1
        # A quote that stands there byte for byte, once, is placed.
        return "the reference places it" if all(exact) and not case.selection and \
            all(hunk.hint is None for hunk in case.hunks) else None
    applied = all(hunk["state"] == "applied" for hunk in answer["hunks"])
    seen["applied" if applied else "applied in part"] += 1
    if applied and not is_sound(case, after):
        return "more has changed than the hunks say"
    for hunk, verdict in zip(answer["hunks"], verdicts):
        if verdict.rung == "exact" and not verdict.refused and hunk["state"] == "applied" and \
                hunk["line"] != verdict.first + 1 and hunk["quality"] != "exact" and not case.selection:
            return "the reference places it at line %d" % (verdict.first + 1)
    return None


def main():
    bodkin = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 13)
    cases = [case for case in (Case(rng, number) for number in range(count)) if case.usable]
    feed = "".join(json.dumps(case.as_json()) + "\n" for case in cases)
    done = subprocess.run([bodkin, "apply", "--jsonl"], input=feed, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(cases)
    seen, failed = Counter(), []
    for case, answer in zip(cases, answers):
        why = difference(case, answer, seen)
        if why:
            failed.append((len(case.file) + len(case.edit), case, answer, why))
    for _, case, answer, why in sorted(failed, key=lambda each: each[0])[:10]:
        print("--- case %d: %s\n%s\n--- the file\n%s\n--- the edit\n%s" % (
            case.id, why, json.dumps({k: answer[k] for k in ("ok", "error", "hunks")}, ensure_ascii=False),
            "\n".join("%2d|%s|" % (i + 1, line) for i, line in enumerate(case.file)), case.edit))
        print("--- the engine has\n" + answer["files"][PATH])
    print(", ".join("%d %s" % (number, what) for what, number in seen.most_common()))
    print("%d passed, %d failed, 0 skipped" % (len(cases) - len(failed), len(failed)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
