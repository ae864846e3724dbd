#!/usr/bin/env python3
"""Plays cases to the engine and to a second one (second.py), and fails where they differ.

    python3 tests/edits/twins.py BODKIN [CASES [SEED]]

The own cases (tests/edits/cases) whose reply is of plain blocks, a patch or a diff of one file, and random ones: their files
repeat their lines and have near twins; the quotes are off in white space, punctuation, a line, a number. A difference is a
fault of one of the two. Those that were looked at and are to stay are in twins_reviewed.txt, by name, below the reason:

    %% REASON
    NAME

An own case that is listed there and no longer differs fails, too. With another seed all random differences are printed.
What the second engine cannot tell is counted. The last line is: N passed, N failed, N skipped.
"""
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter

import cases as own
from second import Hunk, Refused, Unknown, applied, indent, is_blank

PATH = "f.xyz"  # no language: a parser has no say
REVIEWED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "twins_reviewed.txt")
SEED, COUNT = 13, 20000
POOL = ["alpha = 1;", "beta = 2;", "gamma(alpha, beta);", "return alpha;", "}", "delta  =  3;", 'say("one  two");',
        "say(“one”);", "omega – 5;", "", "alpha = 1;"]
# A check of the result has refused what was placed: of these there is no second engine.
CHECKED = re.compile(r"its lines are at line|its new text (omits lines|has words)|(the fence at )?line \d+ of the edit")
FRESH = "fresh value entry node token".split()


# --- random cases -----------------------------------------------------------------------------------------------------

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
            twin[i] = noisy(rng, twin[i], rng.choice(["trailing", "indented", "inner", "spelled", "word", "other"]), unit)
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
    if kind == "word":
        return line.replace(*rng.choice([("alpha", "alhpa"), ("beta", "theta"), ("1", "7"), ("gamma", "gama"), ("return", "raise")]))
    if kind == "other":
        return indent(line) + rng.choice(POOL)
    return line


def quote(rng, file, unit):
    """The old lines of a hunk: some of the file's, and how they are off."""
    begin = rng.randrange(len(file))
    old = file[begin:begin + rng.choice([1, 2, 2, 3, 3, 4, 6])]
    kind = rng.choice(["", "", "", "trailing", "moved", "converted", "indented", "inner", "spelled", "word", "word", "other",
                       "gap", "less"])
    if kind == "moved":
        by = rng.choice([-2, -1, 1, 2])
        old = [shifted(line, by, unit) for line in old]
    elif kind == "converted":
        other = "    " if unit == "\t" else "\t"
        old = [indent(line).replace(unit, other) + line[len(indent(line)):] for line in old]
    elif kind == "gap":
        at = rng.randrange(len(old) + 1)
        old = old[:at] + [""] + old[at:]
    elif kind == "less":
        old = [line for line in old if not is_blank(line) and not line.strip().startswith("//")] or old
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
        lines.append(("+", indent(rng.choice(old)) + text))
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


def random_case(rng, number):
    """(what bodkin gets, the hunks, the selection)."""
    unit = rng.choice(["    ", "  ", "\t"])
    file = random_file(rng, unit)
    if rng.random() < 0.5:  # lines that stand once speak for their place
        file = [line if is_blank(line) or rng.random() < 0.5 else "%s // %d" % (line, at) if rng.random() < 0.8 else
                indent(line) + "// note %d" % at for at, line in enumerate(file)]
    is_open = rng.random() < 0.15 and file[-1] != ""
    line_end = rng.choice(["\n", "\n", "\r\n"] if len(file) > 1 else ["\n"])
    is_diff, selection, hunks, text = rng.random() < 0.5, None, [], []
    count = rng.choice([1, 1, 1, 2, 3])
    drafts = [random_hunk(rng, file, unit, number * 10 + i) for i in range(count)]
    for begin, lines in sorted(drafts, key=lambda draft: draft[0] if rng.random() < 0.9 else 0):
        old, new = ([t for s, t in lines if s != x] for x in "+-")
        if is_diff:
            hint = None if rng.random() < 0.3 else max(0, begin + rng.choice([0, 0, 0, 1, -1, 3, 30]))
            hunks.append(Hunk(lines, hint, True))
            text.append("@@" if hint is None else "@@ -%d,%d +%d,%d @@" % (hint + 1, len(old), hint + 1, len(new)))
            text += [sign + line for sign, line in lines]
        else:
            hunks.append(Hunk.of_halves(old, new))
            text += [PATH, "<<<<<<< SEARCH", *old, "=======", *new, ">>>>>>> REPLACE", ""]
    if is_diff:
        text = ["--- a/" + PATH, "+++ b/" + PATH] + text
    elif count == 1 and rng.random() < 0.25:
        begin = rng.randrange(len(file))
        selection = begin, min(len(file), begin + rng.choice([1, 3, 8]))
    options = {"selection": {"path": PATH, "start_line": selection[0] + 1, "end_line": selection[1]}} if selection else {}
    # A block that quotes one blank line makes a new file, and the same block twice is one edit.
    usable = not any(all(map(is_blank, hunk.side("+"))) and len(hunk.side("+")) == 1 for hunk in hunks) and \
        all(a.lines != b.lines for i, a in enumerate(hunks) for b in hunks[:i]) and \
        all(any(sign != " " for sign, _ in hunk.lines) for hunk in hunks)
    feed = {"id": "random/%d" % number, "format": "unified" if is_diff else "search_replace", "edit": "\n".join(text) + "\n",
            "files": {PATH: line_end.join(file) + ("" if is_open else line_end)}, "options": options}
    return (feed, PATH, hunks) if usable else None


# --- own cases --------------------------------------------------------------------------------------------------------

def hunks_of(reply):
    """(path, hunks) of a reply that is plain enough; else None."""
    if re.search(r"^:\w+_line:|<<\w+$", reply, re.M):
        return None
    lines, path, hunks, at = reply.split("\n"), None, [], 0
    is_patch = any(line.startswith("*** Update File: ") for line in lines)
    if "@@" not in reply and not is_patch and re.search(r"^<{5,9} SEARCH$", reply, re.M):
        for found in re.finditer(r"(?:^|\n)([^\n]*)\n(?:```\w*\n)?<{5,9} SEARCH\n(.*?)^={5,9}\n(.*?)^>{5,9} REPLACE$", reply, re.M | re.S):
            named, old, new = found[1].strip("`*# :"), found[2].split("\n")[:-1], found[3].split("\n")[:-1]
            if re.search(r"^={5,9}$", found[3], re.M) or (named and named != path and path and not named.startswith("```")):
                return None
            path = path or named
            hunks.append(Hunk.of_halves(old, new))
        return (path, hunks) if len(hunks) == len(re.findall(r"SEARCH", reply)) else None
    for at, line in enumerate(lines):
        head = re.match(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@$", line) if not is_patch else None
        if line.startswith(("*** Update File: ", "+++ ")) and path:
            return None  # several files
        if line.startswith("*** Update File: "):
            path = line[len("*** Update File: "):]
        elif line.startswith("+++ ") and not is_patch:
            path = line[len("+++ "):].removeprefix("b/")
        elif line == "@@" or head:
            hunks.append(Hunk([], int(head[1]) - 1 if head else None, True))
        elif line == "*** End of File" and hunks:
            hunks[-1].at_end = True
        elif line[:1] in (" ", "-", "+") and line and hunks:
            hunks[-1].lines.append((line[0], line[1:]))
        elif not re.match(r"\*\*\* (Begin|End) Patch$|--- |diff --git |index |```(diff|patch|)$|$", line) or (hunks and line == "" and any(
                later and later[0] in " +-" for later in lines[at:at + 2])):
            return None
    return (path, hunks) if path and all(hunk.lines for hunk in hunks) else None


def own_cases():
    for name, parts in own.read_cases().items():
        feed = own.feed_of(name, parts)
        found = hunks_of(feed["edit"])
        if not found or not found[1] or list(feed["files"]) != [found[0]] or feed["format"] not in (
                "auto", "search_replace", "unified", "patch") or set(feed["options"]) - {"selection"}:
            continue
        if all(any(sign != " " for sign, _ in hunk.lines) and hunk.side("+") for hunk in found[1]):
            yield feed, found[0], found[1]


# --- comparing --------------------------------------------------------------------------------------------------------

def second_answer(feed, path, hunks):
    """("applied", text), ("refused", why) or ("unknown", why, the hunks' first lines or None)."""
    lines = feed["options"].get("selection")
    try:
        return "applied", applied(feed["files"][path], hunks, (lines["start_line"] - 1, lines["end_line"]) if lines else None)
    except Refused as why:
        return "refused", why.args[0]
    except Unknown as why:
        return "unknown", why.args[0], why.firsts


def difference(path, answer, second):
    """What is not the same, in words; or nothing."""
    kind, text = second[:2]
    if kind == "unknown" and second[2] and answer["ok"]:
        lines = [hunk.get("line") for hunk in answer["hunks"]]
        if len(lines) == len(second[2]) and any(line != first + 1 for line, first in zip(lines, second[2]) if line):
            return "placed at %s, by the second engine at %s" % (lines, [first + 1 for first in second[2]])
    if kind == "unknown" or (not answer["ok"] and kind == "refused"):
        return None
    if not answer["ok"] and CHECKED.match(answer["error"]["message"]):
        return None
    if answer["ok"] != (kind == "applied"):
        return "refused (%s), the second engine places it" % answer["error"]["message"] if not answer["ok"] else \
            "placed, the second engine refuses it (%s)" % text
    return None if answer["files"][path] == text else "the second engine has other bytes"


def reviewed():
    """{name: reason}."""
    names, reason = {}, None
    with open(REVIEWED, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("%% "):
                reason = line[3:]
            elif line:
                names[line] = reason
    return names


def main():
    bodkin, count, seed = sys.argv[1], *(map(int, sys.argv[2:] + [COUNT, SEED][len(sys.argv) - 2:]))
    rng = random.Random(seed)
    played = [*own_cases(), *filter(None, (random_case(rng, number) for number in range(count)))]
    done = subprocess.run([bodkin, "apply", "--jsonl"], capture_output=True, text=True, check=True,
                          input="".join(json.dumps(feed) + "\n" for feed, _, _ in played))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    known, seen, failed = reviewed(), Counter(), 0
    for (feed, path, hunks), answer in zip(played, answers, strict=True):
        second = second_answer(feed, path, hunks)
        why = difference(path, answer, second)
        seen["both " + second[0] if not why and second[0] != "unknown" else "different" if why else "unknown: " + second[1]] += 1
        is_known = feed["id"] in known and (seed == SEED or not feed["id"].startswith("random/"))
        if bool(why) == is_known:
            continue
        failed += 1
        print("FAILED %s: %s" % (feed["id"], why or "no longer differs: %s" % known[feed["id"]]))
        if why and failed <= 10:
            print("--- the file\n%s\n--- the edit\n%s" % ("\n".join("%2d|%s|" % (i + 1, line) for i, line in enumerate(
                feed["files"][path].split("\n"))), feed["edit"]))
            print("--- the engine has\n%s\n--- the second\n%s" % (answer["files"][path], second[1]))
    print(", ".join("%d %s" % (number, what) for what, number in seen.most_common()))
    print("%d passed, %d failed, 0 skipped" % (len(played) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
