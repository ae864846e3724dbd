#!/usr/bin/env python3
"""What each price of the aligner, and each line of its bills, is worth.

    python3 tests/edits/worth.py [CASES.jsonl[.gz]…]

Makes a copy of this checkout's sources below build/, in which the prices, and the lines that are not charged, are read
from the environment, and builds bodkin there, once. Then it sets one price after the other to nothing and to more than
any place can pay, and leaves out one line of the bills after the other. Each time it plays the own cases
(tests/edits/cases) and the given ones ({"id", "format", "files", "edit", "expect": the files that change, or null:
refused}), and prints what differs from the engine as it is: own cases that fail, then for each set right, refused and
wrong. What changes nothing, there and on replies of real models, need not be there.
"""
import glob
import gzip
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases as own  # noqa: E402

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(TOP, "build", "worth")
PRICES, BILL = "edits/align/prices.h", "edits/align/align.h"
NEVER = 100_000_000


def text_of(name):
    with open(os.path.join(TOP, name), encoding="utf-8") as file:
        return file.read()


def write(name, text):
    with open(os.path.join(COPY, name), "w", encoding="utf-8") as file:
        file.write(text)


def make_switchable():
    """Lets the copy read prices and lines that are not charged from the environment."""
    prices = re.sub(r"inline constexpr Price (k\w+) = ([\d']+);",
                    lambda m: m[0] if m[1] == "kNever" else 'inline const Price %s = from_environment("%s", %s);' %
                    (m[1], m[1], m[2]), text_of(PRICES))
    head = "using Price = int;"
    assert head in prices
    write(PRICES, prices.replace("#pragma once", "#pragma once\n#include <cstdlib>").replace(head, head + """
inline Price from_environment(const char* name, Price usual) {
  const char* const other = std::getenv(name);
  return other ? std::atoi(other) : usual;
}"""))
    bill = text_of(BILL)
    begin = "if (more == 0) return;"
    assert begin in bill
    write(BILL, bill.replace(begin, """static const char* const free = std::getenv("NOT_CHARGED");
    if (more == 0 || (free && what == free)) return;"""))


def switches():
    """(what, the variable of the environment, its value) of each."""
    for name in re.findall(r"Price (k\w+) = [\d']+;", text_of(PRICES)):
        if name != "kNever":
            yield name + " free", name, "0"
            yield name + " never", name, str(NEVER)
    names = set()
    for path in glob.glob(os.path.join(TOP, "edits/align/*.cpp")):
        names.update(re.findall(r'charge\("([^"]+)"', text_of(path)))
    for name in sorted(names):
        yield 'not charged: "%s"' % name, "NOT_CHARGED", name


def build():
    done = subprocess.run(["ninja", "-C", os.path.join(COPY, "build"), "bodkin"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout[-3000:])
    return os.path.join(COPY, "build", "bin", "bodkin")


def play(program, played):
    keys = ("id", "format", "files", "edit", "options")
    feed = "".join(json.dumps({key: case[key] for key in keys if key in case}) + "\n" for case in played)
    done = subprocess.run([program, "apply", "--jsonl"], input=feed.encode(), capture_output=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def outcome(case, result):
    expect = case["expect"]
    if expect is None or not result["ok"]:
        return "refused" if expect is not None else "wrong" if result["ok"] else "right"
    after, wanted = ({path: text for path, text in {**case["files"], **files}.items() if text is not None}
                     for files in (result["files"], expect))
    return "right" if after == wanted else "wrong"


def measure(program, cases, sets):
    feeds = [own.feed_of(name, parts) for name, parts in cases.items()]
    failing = sum(bool(list(own.faults(parts, feed, result)))
                  for parts, feed, result in zip(cases.values(), feeds, play(program, feeds)))
    rows = [failing]
    for played in sets:
        outcomes = [outcome(case, result) for case, result in zip(played, play(program, played))]
        rows += [outcomes.count(kind) for kind in ("right", "refused", "wrong")]
    return rows


def main(paths):
    sets = []
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8", newline="\n") as file:
            sets.append([json.loads(line) for line in file if line.strip()])
    cases = own.read_cases()
    shutil.rmtree(COPY, ignore_errors=True)
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, text=True, check=True).stdout
    for name in tracked.split("\0")[:-1]:
        os.makedirs(os.path.dirname(os.path.join(COPY, name)), exist_ok=True)
        shutil.copy2(os.path.join(TOP, name), os.path.join(COPY, name), follow_symlinks=False)
    grammars = os.path.join(TOP, "build", "grammars")
    options = ["CMAKE_BUILD_TYPE=Release", "CMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "BODKIN_UNITY=ON", "BODKIN_TESTS=OFF",
               "BODKIN_GRAMMARS_DIR=" + grammars]
    subprocess.run(["cmake", "-S", COPY, "-B", os.path.join(COPY, "build"), "-G", "Ninja"] + ["-D" + one for one in options],
                   check=True, capture_output=True)
    print("%-34s own cases that fail; then right, refused, wrong of %s" %
          ("", ", ".join("%s (%d)" % (os.path.basename(path), len(one)) for path, one in zip(paths, sets))))
    make_switchable()
    program = build()
    base = measure(program, cases, sets)
    print("%-34s %s" % ("as it is", " ".join("%6d" % count for count in base)), flush=True)
    for what, variable, value in switches():
        os.environ[variable] = value
        now = measure(program, cases, sets)
        del os.environ[variable]
        print("%-34s %s" % (what, " ".join("%+6d" % (a - b) if a != b else "     ." for a, b in zip(now, base))), flush=True)
    shutil.rmtree(COPY, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
