#!/usr/bin/env python3
"""Prints what placing an edit costs, beside git apply and GNU patch in the same run.

    python3 tests/bench/placing.py BODKIN [CASES.jsonl[.gz]…]

Without cases, a few hundred exact edits of this checkout's own sources are made up, and three of a file of 50,000 lines. "micros" is the engine's time from
the reply's text to the result, "syntax" what of a case is spent in parsers. git and patch have no such clock: theirs is
the time of a whole process, and so is the line of `bodkin apply` beside them.
"""
import difflib
import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def made_up(count):
    """Exact search/replace cases and unified diffs, one line changed in the middle of a source."""
    rng = random.Random(1)
    names = subprocess.run(["git", "ls-files", "-z", "*.cpp", "*.h", "*.py", "*.ts", "*.lua"], cwd=TOP,
                           capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
    sources = []
    for name in names:
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            sources.append((name, file.read().split("\n")))
    sources = [(name, lines) for name, lines in sources if len(lines) > 20]
    for number in range(count):
        name, lines = rng.choice(sources)
        at = rng.randrange(3, len(lines) - 5)
        changed = lines[:at] + [lines[at] + "  // changed"] + lines[at + 1:]
        quote = lines[at - 3:at + 4]
        if number % 2:
            edit = "\n".join([name, "<<<<<<< SEARCH", *quote, "=======", *changed[at - 3:at + 4], ">>>>>>> REPLACE", ""])
            kind = "search_replace"
        else:
            edit = "\n".join(difflib.unified_diff(lines, changed, "a/" + name, "b/" + name, lineterm="")) + "\n"
            kind = "unified"
        yield {"id": "%s-%d" % (kind, number), "format": kind, "files": {name: "\n".join(lines)}, "edit": edit}


def large():
    lines = ["    value_%d = compute(%d, name);" % (i, i * 7919 % 1000003) for i in range(50_000)]
    for number, at in enumerate((100, 25_000, 49_000)):
        quote = lines[at:at + 5]
        block = ["f.c", "<<<<<<< SEARCH", *quote, "=======", *quote[:2], "    changed();", *quote[3:], ">>>>>>> REPLACE", ""]
        diff = ["--- a/f.c", "+++ b/f.c", "@@ -%d,5 +%d,5 @@" % (at + 1, at + 1), " " + quote[0], " " + quote[1], "-" + quote[2],
                "+    changed();", " " + quote[3], " " + quote[4], ""]
        for kind, edit in (("search_replace", block), ("unified", diff)):
            yield {"id": "large-%s-%d" % (kind, number), "format": kind, "files": {"f.c": "\n".join(lines) + "\n"},
                   "edit": "\n".join(edit)}


def read(path):
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8") as file:
        return [line for line in map(json.loads, file) if "edit" in line]


def run(bodkin, cases):
    feed = "".join(json.dumps(case) + "\n" for case in cases)
    out = subprocess.run([bodkin, "apply", "--jsonl"], input=feed, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def at_percent(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, len(values) * percent // 100)] if values else 0


def show(name, results):
    exact = [each for each in results if each["hunks"] and all(hunk.get("quality") == "exact" for hunk in each["hunks"])]
    for what, some in ((name, results), (name + ", exact", exact)):
        micros = [each["micros"] for each in some]
        syntax = [each["syntax_micros"] for each in some]
        print("%-30s %6d cases   micros p50 %5d  p99 %6d  worst %7d   syntax p99 %6d  worst %7d" %
              (what, len(some), at_percent(micros, 50), at_percent(micros, 99), max(micros, default=0),
               at_percent(syntax, 99), max(syntax, default=0)))


def process_time(command, cases):
    """Milliseconds of each whole process that applies one case's diff, and how many succeeded."""
    times, done = [], 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in case["files"].items():
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            began = time.perf_counter()
            code = subprocess.run(command, cwd=folder, input=case["edit"], text=True, capture_output=True).returncode
            times.append((time.perf_counter() - began) * 1000)
            done += code == 0
    return times, done


def main():
    bodkin = os.path.abspath(sys.argv[1])
    if sys.argv[2:]:
        for path in sys.argv[2:]:
            cases = read(path)
            run(bodkin, cases[:200])  # the machine is warm
            show(os.path.basename(path), run(bodkin, cases))
    cases = list(made_up(400))
    show("this checkout's sources", run(bodkin, cases + cases)[len(cases):])
    long_ones = list(large())
    show("50,000 lines", run(bodkin, long_ones * 3)[len(long_ones):])
    small = [case for case in cases if case["format"] == "unified"][:100]
    long_diffs = [case for case in long_ones if case["format"] == "unified"] * 5
    for what, diffs in (("", small), (", 50,000 lines", long_diffs)):
        for command in ([bodkin, "apply"], ["git", "apply", "-"], ["patch", "-p1", "-s"]):
            times, done = process_time(command, diffs)
            name = " ".join(["bodkin"] * (command[0] == bodkin) + command[command[0] == bodkin:]) + what
            print("%-30s %6d diffs   a whole process: p50 %6.2f ms  p99 %6.2f ms  worst %6.2f ms   %d applied" %
                  (name, len(diffs), at_percent(times, 50), at_percent(times, 99), max(times), done))


if __name__ == "__main__":
    main()
