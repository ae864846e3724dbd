#!/usr/bin/env python3
"""Mutation testing of the edit engine: changes one line, and asks whether any test notices.

    sh tests/mutate.sh [FILE…]               every mutation of these files (default: all of edits/)
    sh tests/mutate.sh --sample 300          a sample of them, always the same
    sh tests/mutate.sh --since [REV]         only lines that changed since REV (HEAD~1), at most 40

Conditions are negated or made false, `&&` and `||` are exchanged, comparisons and bounds are moved by one, `continue`
and `break` are dropped, and boolean results are inverted. A mutant that the compiler makes the same code of is none.
Nothing in the checkout is touched: a mutant is compiled beside it and linked in front of the library that has the
original.

A mutant that no test notices is a survivor. Survivors that are meant to be are explained in tests/mutate_survivors.txt, a
line each: FILE | the original line | the mutated line | why no test can notice. The last line is: N passed, N failed, N
skipped, where an unexplained survivor has failed and an explained one is skipped.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXPLAINED = os.path.join(TOP, "tests", "mutate_survivors.txt")
SLOW_TESTS = "random edits give what the same edits of a string give"
TIME_LIMIT = 60  # seconds for a program that a mutant may have made endless
SEED = 20261122

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


def without_literals(line):
    """The line with its comments and literals blanked, every column where it was."""
    blanked = re.sub(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'', lambda m: "_" * len(m.group()), line)
    comment = blanked.find("//")
    return blanked if comment < 0 else blanked[:comment] + " " * (len(line) - comment)


def condition_in(code):
    """Where the condition of the line's `if (…)` or `while (…)` begins and ends; None if it spans lines."""
    found = re.search(r"\b(?:if|while) \(", code)
    if not found or "if constexpr" in code:
        return None
    depth, begin = 0, found.end()
    for at in range(found.end() - 1, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if code[at] == ";" and depth == 1:
            begin = at + 1
        if depth == 0:
            return begin, at
    return None


def mutations_of(line):
    """Every line that may stand in place of this one."""
    code = without_literals(line)
    if not code.strip() or code.lstrip().startswith(("#", "*", "template", "static_assert")):
        return
    where = condition_in(code)
    if where and not re.match(r"\s*(?:const )?auto\b|\s*(?:const )?\w[\w:<>]* [*&]?\w+ = ", code[where[0]:where[1]]):
        begin, end = where
        yield line[:begin] + " !(" + line[begin:end].strip() + ")" + line[end:]
        if "while" not in code[:begin]:
            yield line[:begin] + " false" + line[end:]
    for found in re.finditer(r" (&&|\|\|)(?= |$)", code):
        other = {"&&": "||", "||": "&&"}[found.group(1)]
        yield line[:found.start(1)] + other + line[found.end(1):]
    for found in re.finditer(r" (<=|>=|==|!=|<|>) ", code):
        yield line[:found.start(1)] + COMPARISONS[found.group(1)] + line[found.end(1):]
    for found in re.finditer(r" [+-] (1)\b(?![.\d])", code):
        yield line[:found.start(1)] + "0" + line[found.end(1):]
    if re.search(r"\breturn (true|false);", code):
        yield re.sub(r"\breturn (true|false);", lambda m: "return %s;" % {"true": "false", "false": "true"}[m.group(1)],
                     line, count=1)
    elif re.search(r"^\s*(?:continue|break);|\) (?:continue|break);", code):
        yield re.sub(r"\b(continue|break);", "{}", line, count=1)


def lines_changed_since(revision, path):
    diff = subprocess.run(["git", "diff", "-U0", revision, "--", path], cwd=TOP, capture_output=True, text=True,
                          check=True).stdout
    changed = set()
    for begin, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", diff, re.M):
        changed.update(range(int(begin), int(begin) + int(count or 1)))
    return changed


class Build:
    """How the build folder compiles a source and links the programs that are asked."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
            self.commands = {os.path.realpath(each["file"]): each["command"] for each in json.load(file)}
        self.links = {}
        for program in ("test_edits", "test_grammars", "bodkin"):
            printed = subprocess.run(["ninja", "-C", folder, "-t", "commands", "bin/" + program], capture_output=True,
                                     text=True, check=True).stdout
            self.links[program] = printed.strip().splitlines()[-1]

    def compile(self, path, source, target):
        words = shlex.split(self.commands[os.path.realpath(os.path.join(TOP, path))])
        words[words.index("-o") + 1] = target
        words[-1] = source
        return subprocess.run(words, cwd=self.folder, capture_output=True).returncode == 0

    def original_of(self, path):
        words = shlex.split(self.commands[os.path.realpath(os.path.join(TOP, path))])
        return os.path.join(self.folder, words[words.index("-o") + 1])

    def link(self, program, mutant, target):
        command = self.links[program].replace(" -o bin/" + program, " %s -o %s" % (shlex.quote(mutant), shlex.quote(target)))
        subprocess.run(command, cwd=self.folder, shell=True, capture_output=True, check=True)


def notices(build, mutant):
    """The first suite that notices the mutant, or None."""
    suites = [
        ("test_edits", lambda program: [program, "--abort-after=1", "-tce=" + SLOW_TESTS]),
        ("bodkin", lambda program: ["python3", os.path.join(TOP, "tests/edits/cases.py"), program]),
        ("bodkin", lambda program: ["python3", os.path.join(TOP, "tests/edits/twins.py"), program, "4000"]),
    ]
    if "/lazy" in mutant:
        suites.append(("test_grammars", lambda program: [program, "--abort-after=1", "-tc=*lazy*,*sketch*"]))
    programs = {}
    for program, command in suites:
        if program not in programs:
            programs[program] = os.path.join(os.path.dirname(mutant), program)
            build.link(program, mutant, programs[program])
        if not passes(command(programs[program])):
            return program
    if "/text.cpp" in mutant and not passes([programs["test_edits"], "-tc=" + SLOW_TESTS]):
        return "test_edits"
    return None


def passes(command):
    try:
        done = subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def judge(build, job):
    """(job, "killed" | "survived" | "none")"""
    path, number, original, mutated = job
    with tempfile.TemporaryDirectory(prefix="bodkin-mutant-") as folder:
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        lines[number - 1] = mutated
        source = os.path.join(folder, os.path.basename(path))
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        mutant = source.removesuffix(".cpp") + ".o"
        if not build.compile(path, source, mutant):
            return job, "none"
        with open(mutant, "rb") as file, open(build.original_of(path), "rb") as unchanged:
            if file.read() == unchanged.read():
                return job, "none"
        return job, "killed" if notices(build, mutant) else "survived"


def explanations():
    """{(file, original line, mutated line): why}"""
    found = {}
    if os.path.exists(EXPLAINED):
        with open(EXPLAINED, encoding="utf-8") as file:
            for line in file:
                parts = [part.strip() for part in line.split(" | ")]
                if not line.startswith("#") and len(parts) == 4:
                    found[tuple(parts[:3])] = parts[3]
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("files", nargs="*")
    options.add_argument("--build", default=os.path.join(TOP, "build", "release"))
    options.add_argument("--since", nargs="?", const="HEAD~1")
    options.add_argument("--sample", type=int)
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options = options.parse_args()
    if options.since and subprocess.run(["git", "rev-parse", "--verify", "-q", options.since + "^{commit}"], cwd=TOP,
                                        capture_output=True).returncode != 0:
        print("SKIPPED: %s is not a commit of this checkout\n0 passed, 0 failed, 1 skipped" % options.since)
        return 0
    build = Build(options.build)
    paths = [os.path.relpath(os.path.abspath(path), TOP) for path in options.files]
    if not paths:
        paths = sorted(str(path.relative_to(TOP)) for path in pathlib.Path(TOP, "edits").rglob("*.cpp"))
    jobs = []
    for path in paths:
        wanted = lines_changed_since(options.since, path) if options.since else None
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            for number, line in enumerate(file.read().split("\n"), 1):
                if wanted is None or number in wanted:
                    jobs += [(path, number, line, mutated) for mutated in dict.fromkeys(mutations_of(line))]
    most = 40 if options.since else options.sample
    if most and len(jobs) > most:
        jobs = sorted(random.Random(SEED).sample(jobs, most))
    explained = explanations()
    killed = skipped = failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (path, number, original, mutated), state in pool.map(lambda job: judge(build, job), jobs):
            killed += state == "killed"
            if state != "survived":
                continue
            why = explained.get((path, original.strip(), mutated.strip()))
            skipped += why is not None
            failed += why is None
            print("%s:%d survives%s\n  - %s\n  + %s" % (path, number, ", explained: " + why if why else "",
                                                       original.strip(), mutated.strip()), flush=True)
    print("%d mutations were tried, %d of them made no difference to the compiler or did not compile"
          % (len(jobs), len(jobs) - killed - skipped - failed))
    if not jobs:
        killed = 1  # nothing of edits/ has changed: that is a pass, not a suite that ran nothing
    print("%d passed, %d failed, %d skipped" % (killed, failed, skipped))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
