#!/usr/bin/env python3
"""Mutation testing of the edit engine: changes one line, and asks whether any test notices.

    sh tests/mutate.sh [FILE…]               every mutation of these files (default: all of edits/)
    sh tests/mutate.sh --sample 300          a sample of them, always the same
    sh tests/mutate.sh --since [REV]         only lines that changed since REV (HEAD~1), at most 40

Conditions are negated or made false, `&&` and `||` are exchanged, comparisons and bounds are moved by one, `continue`
and `break` are dropped, and boolean results are inverted. A mutant that the compiler makes the same code of is none.
Nothing in the checkout is touched: a file is compiled beside it with all of its mutants, one of which runs, and linked in
front of the library that has the original. The few that are in no function's body are compiled one by one.

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
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXPLAINED = os.path.join(TOP, "tests", "mutate_survivors.txt")
SLOWEST_TEST = "random edits give what the same edits of a string give"
SLOW_TESTS = "changed_lines makes*,a megabyte*,a plan that is printed*"
PROGRAMS = ("test_edits", "bodkin", "test_grammars")
TIME_LIMIT = 20  # seconds of a processor's time for a suite that a mutant may have made endless
MEMORY_LIMIT = 4 << 30  # bytes, for the same reason
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


def function_bodies(lines):
    """(first line, line behind the last) of the body of each function of a file that clang-format wrote, from 0."""
    frames = []  # for each open brace: the first line of the body of an outermost function, "scope", or None
    header = ""
    for number, line in enumerate(lines):
        code = without_literals(line)
        header += code + " "
        for at, sign in enumerate(code):
            if sign == "{":
                is_scope = re.search(r"\b(namespace|class|struct|union)\b[^()=;]*\{", header)
                is_body = re.search(r"\w\(.*\{\s*$", header) and not re.search(r"= \[|\bconstexpr\b", header)
                outside = all(frame == "scope" for frame in frames)
                frames.append("scope" if outside and is_scope else number + 1 if outside and is_body else None)
            elif sign == "}":
                begin = frames.pop()
                if isinstance(begin, int) and code.strip() == "}":
                    yield begin, number
        if not code.strip() or code.rstrip()[-1] in "{};:" or code.startswith("#"):
            header = ""


def all_in_one(lines, mutants):
    """The file with the mutants whose line is in the body of a function, each of which has a copy of the body;
    BODKIN_MUTANT says which one runs. Beside it, whose copy each line is."""
    at = {}
    for begin, end in function_bodies(lines):
        inside = [(name, job) for name, job in mutants.items() if begin < job[1] <= end]
        if inside:
            at[begin] = end, inside
    out = [("#include <cstdlib>", None),
           ('static const int bodkin_mutant = std::getenv("BODKIN_MUTANT") ? atoi(std::getenv("BODKIN_MUTANT")) : 0;', None)]
    number = 0
    while number < len(lines):
        if number not in at:
            out.append((lines[number], None))
            number += 1
            continue
        end, inside = at[number]
        out.append(("switch (bodkin_mutant) {", None))
        for name, (_, line, _, mutated) in inside:
            body = lines[number:line - 1] + [mutated] + lines[line:end]
            out += [(text, name) for text in ["case %d: {" % name] + body + ["} break;"]]
        out += [(text, None) for text in ["default: {"] + lines[number:end] + ["}", "}"]]
        number = end
    return "\n".join(text for text, _ in out) + "\n", [name for _, name in out]


class Build:
    """How the build folder compiles a source and links the programs that are asked."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
            self.commands = {os.path.realpath(each["file"]): each["command"] for each in json.load(file)}
        self.units = {}  # source -> what compiles all of its room, by including each source
        for unit in [each for each in self.commands if os.path.basename(each).startswith("unity_")]:
            with open(unit, encoding="utf-8") as file:
                for source in re.findall(r'#include "(.*)"', file.read()):
                    self.units[os.path.realpath(source)] = (unit, source)
        self.links = {}
        linker = " -fuse-ld=lld" if shutil.which("ld.lld") else ""
        for program in PROGRAMS:
            printed = subprocess.run(["ninja", "-C", folder, "-t", "commands", "bin/" + program], capture_output=True,
                                     text=True, check=True).stdout
            self.links[program] = printed.strip().splitlines()[-1].replace(" -o ", linker + " -o ")

    def compile(self, path, source, target, *options):
        """What the compiler complains of; nothing if it is satisfied."""
        real = os.path.realpath(os.path.join(TOP, path))
        unit, included = self.units.get(real, (real, None))
        words = shlex.split(self.commands[unit])
        if included:
            with open(unit, encoding="utf-8") as file:
                whole = file.read().replace('"%s"' % included, '"%s"' % source)
            source = target + ".unity.cpp"
            with open(source, "w", encoding="utf-8") as file:
                file.write(whole)
        words[words.index("-o") + 1] = target
        words[-1] = source
        done = subprocess.run(words + list(options), cwd=self.folder, capture_output=True, text=True)
        return done.stderr or "failed" if done.returncode else ""

    def original_of(self, path):
        real = os.path.realpath(os.path.join(TOP, path))
        words = shlex.split(self.commands[self.units.get(real, (real, None))[0]])
        return os.path.join(self.folder, words[words.index("-o") + 1])

    def link(self, path, mutant):
        """Beside the mutant, each program that may notice it."""
        for program in PROGRAMS if "/lazy" in path else PROGRAMS[:2]:
            target = os.path.join(os.path.dirname(mutant), program)
            command = self.links[program].replace(" -o bin/" + program, " %s -o %s" % (shlex.quote(mutant),
                                                                                     shlex.quote(target)))
            subprocess.run(command, cwd=self.folder, shell=True, capture_output=True, check=True)

    def link_all(self, path, mutants, folder):
        """Links programs that have all mutants in them, and says which ones these are."""
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        source = os.path.join(folder, os.path.basename(path))
        target = source.removesuffix(".cpp") + ".o"
        mutants = dict(mutants)
        while mutants:
            text, names = all_in_one(lines, mutants)
            mutants = {name: mutants[name] for name in names if name}
            with open(source, "w", encoding="utf-8") as file:
                file.write(text)
            said = self.compile(path, source, target, "-O0", "-w")
            if not said:
                break
            wrong = {names[int(number) - 1] for number in re.findall(re.escape(source) + r":(\d+)", said)} - {None}
            mutants = {name: job for name, job in mutants.items() if wrong and name not in wrong}
        if mutants:
            self.link(path, target)
            assert not notices(path, folder, 0), path + " with all mutants, none of which runs, fails the tests"
        return set(mutants)


def notices(path, programs, mutant):
    """The first suite that notices the mutant, or None."""
    test_edits, bodkin, test_grammars = (os.path.join(programs, name) for name in PROGRAMS)
    suites = [
        [test_edits, "--abort-after=1", "-tce=" + SLOW_TESTS + "," + SLOWEST_TEST],
        ["python3", os.path.join(TOP, "tests/edits/cases.py"), bodkin],
        [test_edits, "--abort-after=1", "-tc=" + SLOW_TESTS],
        ["python3", os.path.join(TOP, "tests/edits/twins.py"), bodkin, "4000"],
    ]
    if "/lazy" in path:
        suites.append([test_grammars, "--abort-after=1", "-tc=*lazy*,*sketch*"])
    if "/text.cpp" in path:
        suites.append([test_edits, "-tc=" + SLOWEST_TEST])
    return next((suite for suite in suites if not passes(suite, mutant)), None)


def passes(command, mutant):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        resource.setrlimit(resource.RLIMIT_CPU, (TIME_LIMIT, TIME_LIMIT))
    done = subprocess.run(command, cwd=TOP, env=os.environ | {"BODKIN_MUTANT": str(mutant)}, stdin=subprocess.DEVNULL,
                          capture_output=True, preexec_fn=limit)
    return done.returncode == 0


def judge(build, job, name, all_mutants):
    """"killed", "survived", or "none" if the compiler makes the same code of it or cannot compile it. `all_mutants` is
    the folder of the programs that have this mutant in them, else None."""
    path, number, _, mutated = job
    if all_mutants and notices(path, all_mutants, name):
        return "killed"
    with tempfile.TemporaryDirectory(prefix="bodkin-mutant-") as folder:
        with open(os.path.join(TOP, path), encoding="utf-8") as file:
            lines = file.read().split("\n")
        lines[number - 1] = mutated
        source = os.path.join(folder, os.path.basename(path))
        with open(source, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        mutant = source.removesuffix(".cpp") + ".o"
        if build.compile(path, source, mutant):
            return "none"
        with open(mutant, "rb") as file, open(build.original_of(path), "rb") as unchanged:
            if file.read() == unchanged.read():
                return "none"
        if all_mutants:
            return "survived"
        build.link(path, mutant)
        return "killed" if notices(path, folder, 0) else "survived"


def judge_all(build, jobs, workers):
    """Each job with its verdict, file by file."""
    for path in dict.fromkeys(job[0] for job in jobs):
        mutants = dict(enumerate((job for job in jobs if job[0] == path), 1))
        with tempfile.TemporaryDirectory(prefix="bodkin-mutants-") as folder:
            linked = build.link_all(path, mutants, folder) if len(mutants) > 2 else set()
            with concurrent.futures.ThreadPoolExecutor(workers) as pool:
                yield from zip(mutants.values(), pool.map(
                    lambda name: judge(build, mutants[name], name, folder if name in linked else None), mutants))


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
    for (path, number, original, mutated), state in judge_all(build, jobs, options.jobs):
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
