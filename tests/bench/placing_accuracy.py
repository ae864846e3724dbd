#!/usr/bin/env python3
"""placing_accuracy.py PROGRAM [CASES [SEED]]: how exactly edits are placed that models write not quite right.

Makes CASES (default 600) files with one edit each, from SEED, so that anyone gets the same: a Python or C++ file of
similar functions, one of which is to change. What the edit quotes of the file is spoilt as models spoil it; what must
become of the file is known. `bodkin apply` gets it as a SEARCH/REPLACE block, `git apply` and `patch` as a unified diff
of the same lines. An edit whose quoted lines are in the file twice has no right place, unless a line number says which:
there the right answer is a refusal. (--unidiff-zero: without it git takes a hunk that ends with a change to be the end
of the file.) Prints, per program and kind of spoiling: right, refused, and in the wrong place; then how long one edit
takes. Needs git and patch.
"""
import difflib
import json
import os
import random
import subprocess
import sys
import tempfile
import time

NAMES = "area bound cache depth entry field group handle index joint kernel level margin node offset parent query range".split()
VERBS = "load store merge split count check parse print close reset".split()


def function(random_, name, cpp):
    """The lines of one function: similar to the others, never the same."""
    a, b = random_.sample(NAMES, 2)
    number = random_.randint(2, 9)
    if cpp:
        return [f"int {name}(int {a}, int {b}) {{", f"  int total = {a} * {number};", f"  for (int i = 0; i < {b}; ++i) {{",
                f"    if (i % {number} == 0) total += {a};", "    else total -= 1;", "  }",
                "  return total;", "}", ""]
    return [f"def {name}({a}, {b}):", f"    total = {a} * {number}", f"    for i in range({b}):",
            f"        if i % {number} == 0:", f"            total += {a}", "        else:", "            total -= 1",
            "    return total", ""]


def spoil(random_, kind, old, new):
    """What the edit quotes and what it puts there, spoilt; the wanted text stays the same."""
    if kind == "trailing spaces":
        return [line + " " * random_.choice((0, 2)) if line else line for line in old], new
    if kind == "indented by 4 more":
        return ["    " + line if line else line for line in old], ["    " + line if line else line for line in new]
    if kind == "without indentation":
        cut = min(len(line) - len(line.lstrip()) for line in old if line)
        return [line[cut:] for line in old], [line[cut:] for line in new]
    if kind == "blank line lost":
        return [line for line in old if line], [line for line in new if line or line not in old]
    return old, new


KINDS = ("exact", "trailing spaces", "indented by 4 more", "without indentation", "invented line", "in the file twice")


def make(seed, number):
    random_ = random.Random(f"{seed}/{number}")
    kind, cpp = KINDS[number % len(KINDS)], random_.random() < 0.5
    names = random_.sample([f"{verb}_{name}" for verb in VERBS for name in NAMES], random_.randint(6, 14))
    functions = [function(random_, name, cpp) for name in names]
    at = random_.randrange(len(functions))
    first, count = random_.choice(((1, 3), (1, 4), (2, 4), (1, 6)))
    whole = functions[at]
    old = whole[first:first + count]
    changed = random_.randrange(len(old))
    indent = old[changed][:len(old[changed]) - len(old[changed].lstrip())]
    new = old[:changed + 1] + [f"{indent}trace(total){';' if cpp else ''}"] + old[changed + 1:]
    if not cpp and old[changed].endswith(":"):
        new[changed + 1] = "    " + new[changed + 1]
    wanted = [line for i, one in enumerate(functions) for line in
              (one[:first] + new + one[first + count:] if i == at else one)]
    before = [line for one in functions for line in one]
    meant = None
    if kind == "in the file twice":
        twin = list(whole)
        twin[0] = twin[0].replace(names[at], names[at] + "_2")
        meant = "\n".join(wanted + twin) + "\n"
        before, wanted = before + twin, None
    elif sum(before[i:i + len(old)] == old for i in range(len(before))) != 1:
        wanted = None  # by chance
    quoted, put = spoil(random_, kind, old, new)
    if kind == "invented line":  # a line that is nowhere: there is no right place
        wanted = None
        line = f"{indent}flush({random_.choice(NAMES)}, {random_.randint(100, 999)}){';' if cpp else ''}"
        quoted = quoted[:1] + [line] + quoted[1:]
        put = put[:1] + [line] + put[1:]
    path = "a.cpp" if cpp else "a.py"
    block = f"{path}\n<<<<<<< SEARCH\n" + "\n".join(quoted) + "\n=======\n" + "\n".join(put) + "\n>>>>>>> REPLACE\n"
    line = before.index(whole[0]) + first
    diff = list(difflib.unified_diff(quoted, put, "a/" + path, "b/" + path, n=len(quoted), lineterm=""))
    # The place as a model knows it: not quite.
    shift = random_.randint(-3, 3)
    diff[2] = f"@@ -{max(1, line + 1 + shift)},{len(quoted)} +{max(1, line + 1 + shift)},{len(put)} @@"
    return {"id": str(number), "kind": kind, "path": path, "meant": meant, "before": "\n".join(before) + "\n",
            "wanted": None if wanted is None else "\n".join(wanted) + "\n", "block": block, "diff": "\n".join(diff) + "\n"}


def with_bodkin(program, cases):
    feed = "".join(json.dumps({"id": case["id"], "format": "auto", "files": {case["path"]: case["before"]},
                               "edit": case["block"]}) + "\n" for case in cases)
    done = subprocess.run([program, "apply", "--jsonl"], input=feed, capture_output=True, text=True, check=True)
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    return [answers[case["id"]]["files"][case["path"]] if answers[case["id"]]["ok"] else None for case in cases]


def with_program(command, cases):
    results = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        for case in cases:
            path = os.path.join(folder, case["path"])
            with open(path, "w") as file:
                file.write(case["before"])
            done = subprocess.run(command, input=case["diff"], cwd=folder, capture_output=True, text=True)
            with open(path) as file:
                results.append(file.read() if done.returncode == 0 else None)
    return results


GIT_APPLY = ["git", "apply", "--unidiff-zero", "-"]
PATCH = ["patch", "-p1", "--batch", "--silent", "--no-backup-if-mismatch", "-r", "-"]


def print_times(program):
    """What a whole process costs for one edit in a file of 200 lines: lower quartiles of 40 runs, in turn.

    All is in memory, also bodkin's journal: on a disk it would wait for that three times, as the others never do.
    """
    lines = [f"value_{i} = compute({i * 7919 % 1000003})" for i in range(200)]
    quoted, put = lines[99:102], [lines[99], "changed()", lines[101]]
    block = "\n".join(["a.py", "<<<<<<< SEARCH", *quoted, "=======", *put, ">>>>>>> REPLACE", ""])
    diff = "\n".join([*difflib.unified_diff(lines, lines[:99] + put + lines[102:], "a/a.py", "b/a.py", lineterm=""), ""])
    commands = {"bodkin apply": ([program, "apply"], block), "git apply": (GIT_APPLY, diff), "patch": (PATCH, diff)}
    costs = {name: [] for name in commands}
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        subprocess.run(["git", "init", "-q", folder], check=True)
        environment = {**os.environ, "XDG_STATE_HOME": os.path.join(folder, ".git")}
        for name, (command, edit) in list(commands.items()) * 40:
            with open(os.path.join(folder, "a.py"), "w") as file:
                file.write("\n".join(lines) + "\n")
            with open(os.path.join(folder, "edit"), "w+") as file:
                file.write(edit)
                file.seek(0)
                begun = time.perf_counter()
                child = subprocess.Popen(command, stdin=file, cwd=folder, stdout=subprocess.DEVNULL, env=environment)
                _, child.returncode, usage = os.wait4(child.pid, 0)
                costs[name].append((time.perf_counter() - begun, usage.ru_utime + usage.ru_stime))
            if child.returncode:
                sys.exit(f"{name} failed")
    print("one edit, a whole process:")
    for name, pairs in costs.items():
        wall, cpu = (1000 * sorted(column)[10] for column in zip(*pairs))
        print(f"  {name:14s} {wall:6.1f} ms, of it the processor {cpu:.1f} ms")


def main():
    program = os.path.abspath(sys.argv[1])
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 600
    seed = sys.argv[3] if len(sys.argv) > 3 else "1"
    cases = [make(seed, i) for i in range(number)]
    programs = {"bodkin apply": lambda: with_bodkin(program, cases),
                "git apply": lambda: with_program(GIT_APPLY, cases),
                "patch": lambda: with_program(PATCH, cases)}
    print(f"{number} edits, seed {seed}: right / refused although there is a place / in the wrong place")
    for name, run in programs.items():
        results = run()
        for kind in (*KINDS, "all"):
            of_kind = [(case, result) for case, result in zip(cases, results) if kind in ("all", case["kind"])]
            # A diff says about which line it means, so its programs may take the nearer one of two.
            right = sum(result == case["wanted"] or name != "bodkin apply" and result is not None and result == case["meant"]
                        for case, result in of_kind)
            refused = sum(result is None and case["wanted"] is not None for case, result in of_kind)
            print(f"  {name:14s} {kind:22s} {100 * right / len(of_kind):6.1f} % {100 * refused / len(of_kind):6.1f} % "
                  f"{len(of_kind) - right - refused:5d} of {len(of_kind)}")
    print_times(program)


if __name__ == "__main__":
    main()
