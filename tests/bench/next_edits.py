#!/usr/bin/env python3
"""Replays edits from git histories, and asks after each what it implies below it: prints how often that came next.

    python3 tests/bench/next_edits.py [--commits N] [--seed N] [--imports] BODKIN REPOSITORY…
    python3 tests/bench/next_edits.py BODKIN --files 10000

Of a commit one changed file is taken; its hunks are made from the top, one after the other. With --imports the file is in
its project as it was, and the hunks are made from the bottom, as imports are written last: it prints how often the import
that is offered is one of the file after the commit. REPOSITORY: a checkout or a git directory. It decides nothing.
"""
import argparse
import collections
import difflib
import os
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "transcripts"))
from run import Server  # noqa: E402

ENDS = (".py .js .ts .tsx .jsx .go .rs .c .h .cpp .cc .hpp .java .cs .rb .lua .sh .php .kt .swift".split())


def git(repository, *arguments):
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True)
    return done.stdout.decode("utf-8", "replace")


def commits(repositories, seed, ends=ENDS):
    """(path, lines before, lines after, repository, commit), at random, for ever."""
    choose = random.Random(seed)
    known = {each: git(each, "rev-list", "--no-merges", "--max-count=600", "--all").split() for each in repositories}
    known = {each: ids for each, ids in known.items() if ids}
    while known:
        repository = choose.choice(sorted(known))
        commit = choose.choice(known[repository])
        names = [line.split("\t")[1] for line in
                 git(repository, "diff-tree", "-r", "--no-commit-id", "--name-status", commit).splitlines()
                 if line.startswith("M\t") and os.path.splitext(line)[1] in ends]
        if not names:
            continue
        path = choose.choice(names)
        sides = [git(repository, "show", "%s:%s" % (each, path)).split("\n") for each in (commit + "^", commit)]
        if max(map(len, sides)) <= 3000:
            yield path, *sides, repository, commit


class Opened:
    """A file in the editor, of which one hunk after the other is made."""

    def __init__(self, server, path, lines, language="", folder="/bench"):
        self.server, self.uri, self.version = server, "file://" + os.path.join(folder, path), 1
        server.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": language, "version": 1, "text": joined(lines)}})

    def change(self, first, end, lines):
        """What is implied once lines [first, end) have become these, and how long the answer took."""
        self.put(first, end, lines)
        return self.ask()

    def put(self, first, end, lines):
        self.version += 1
        self.server.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [
            {"range": {"start": {"line": first, "character": 0}, "end": {"line": end, "character": 0}}, "text": joined(lines)}]})

    def ask(self):
        begun = time.perf_counter()
        answer = self.server.request("bodkin/nextEdits", {"uri": self.uri})["result"]
        return answer, time.perf_counter() - begun

    def close(self):
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})


def imports(program, repositories, given):
    """The imports that are offered: came next, or another one is in the file, or none is."""
    counts, times = collections.Counter(), []
    for path, before, after, repository, commit in commits(repositories, given.seed, (".py", ".ts", ".tsx", ".js", ".jsx", ".mjs")):
        hunks = [code for code in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if code[0] != "equal"]
        size = git(repository, "ls-tree", "-r", "--name-only", commit).count("\n")
        if not 2 <= len(hunks) <= 40 or size > 5000:
            continue
        with tempfile.TemporaryDirectory() as home:
            folder = os.path.join(home, "work")
            os.mkdir(folder)
            # The other files as they were left: who writes an import has written the file.
            names = [name for name in git(repository, "ls-tree", "-r", "--name-only", commit).splitlines()
                     if name.endswith((".py", ".ts", ".tsx", ".js", ".jsx", ".mjs", "package.json"))]
            archive = subprocess.run(["git", "-C", repository, "archive", commit, "--", *names], capture_output=True)
            if subprocess.run(["tar", "x", "-C", folder], input=archive.stdout, capture_output=True).returncode:
                continue  # some are missing
            for name, text in (("is_ready.py", "def is_indexed(): pass\n"), ("asks.py", "import os\n\n")):
                with open(os.path.join(folder, name), "w") as out:
                    out.write(text)
            server = Server(program, home)
            server.request("initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {}})
            server.notify("initialized", {})
            probe = Opened(server, os.path.join(folder, "asks.py"), ["import os", ""], "python", folder)
            while not probe.change(1, 1, ["is_indexed()"])[0]["edits"]:
                probe.change(1, 2, [])
                time.sleep(.02)
            opened = Opened(server, path, before, folder=folder)
            offered = set()
            for _, begin, end, to, to_end in reversed(hunks):
                counts["edits"] += 1
                answer, took = opened.change(begin, end, after[to:to_end])
                times.append(took)
                if not answer["what"].startswith("Import ") or answer["what"] in offered:
                    continue
                offered.add(answer["what"])
                name, line = answer["what"][7:], answer["edits"][0]["newText"]
                found = [each for each in re.split(r"\n(?=\S)", "\n".join(after)) if re.match(r"(from|import)\b", each) and re.search(r"\b%s\b" % re.escape(name), each)]
                module = re.search(r"(?:from|import)\s*['\"]?([^'\"\s;]+)['\"]?\s*(?:import|;|$)", line)
                module = module[1] if module else ""
                outcome = "came next" if any(module in each for each in found) else "another import" if found else "no import"
                counts[outcome] += 1
                if given.v and outcome != "came next":
                    print(outcome, repository.split("/")[-2], commit[:8], path, name, repr(line), found)
            server.kill()
        given.commits -= 1
        if not given.commits:
            break
    total = sum(counts.values()) - counts["edits"]
    print("%d edits\nimports: offered %d times; %s" % (counts["edits"], total, ", ".join(
        "%s %d (%.0f %%)" % (each, counts[each], 100 * counts[each] / max(1, total)) for each in ("came next", "another import", "no import"))))
    times.sort()
    print("answered in: median %.2f ms, 99 of 100 in %.2f ms" % (times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000))


def latency(program, files):
    """How long an answer takes in a project of so many files, each with ten declarations, and in a file of 55 KB."""
    with tempfile.TemporaryDirectory() as home:
        folder = os.path.join(home, "work")
        os.mkdir(folder)
        for number in range(files):
            with open("%s/module_%d.py" % (folder, number), "w") as out:
                out.write("".join("def made_%d_%d(one, two):\n    return one + two\n\n\n" % (number, k) for k in range(10)))
        server = Server(program, home)
        server.request("initialize", {"processId": None, "rootUri": "file://" + folder, "capabilities": {}})
        server.notify("initialized", {})
        lines = ["import os", ""] + [line for k in range(200) for line in ("def f%d(a, b):" % k, "    return a + b", "")]
        opened = Opened(server, "asks.py", lines, "python", folder)
        while not opened.change(1, 1, ["made_1_1()"])[0]["edits"]:
            opened.change(1, 2, [])
            time.sleep(.1)
        times = [opened.change(1, 2, ["made_%d_%d()" % (number % files, number % 10)])[1] for number in range(300)]
        opened.close()
        large = [line for k in range(900) for line in ("def g%d(a, b):" % k, "    total = made(a, b, %d)" % k, "    return total + a", "")]
        opened = Opened(server, "large.py", large + ["g7(1, 2)", "g7(3, 4)"], "python", folder)
        first, paused, again = [], [], []
        for number in range(60):
            first.append(opened.change(3600, 3601, ["g7(1, 2, %d)" % number])[1])
            again.append(opened.ask()[1])
            opened.put(3600, 3601, ["g7(1, %d)" % number])
            time.sleep(.4)  # as clients do before they ask
            paused.append(opened.ask()[1])
        server.kill()
    for what, each in (("an import in %d files" % files, times), ("an edit in a file of %d KB, at once" % (len(joined(large)) // 1024), first),
                       ("  after a pause", paused), ("  the same again", again)):
        each.sort()
        print("%s: median %.2f ms, 99 of 100 in %.2f ms" % (what, each[len(each) // 2] * 1000, each[len(each) * 99 // 100] * 1000))


def joined(lines):
    return "".join(line + "\n" for line in lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("repositories", nargs="*")
    options.add_argument("--files", type=int, default=0, help="only how long it takes in a project of so many files")
    options.add_argument("--commits", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--imports", action="store_true")
    options.add_argument("-v", action="store_true", help="also print what did not come")
    given = options.parse_args()
    if given.files:
        return latency(os.path.abspath(given.program), given.files)
    if given.imports:
        return imports(os.path.abspath(given.program), given.repositories, given)
    server = Server(os.path.abspath(given.program), tempfile.mkdtemp())
    server.request("initialize", {"processId": None, "capabilities": {}})
    server.notify("initialized", {})
    counts, times, left = collections.Counter(), [], given.commits
    for path, before, after, _, commit in commits(given.repositories, given.seed):
        hunks = [code for code in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if code[0] != "equal"]
        if not 2 <= len(hunks) <= 40:
            continue
        opened = Opened(server, path, before)
        for k, (_, begin, end, to, to_end) in enumerate(hunks[:-1]):
            counts["edits"] += 1
            answer, took = opened.change(to, to + end - begin, after[to:to_end])
            times.append(took)
            shift = to_end - end  # of what is below, against `before`
            below = [each for each in answer["edits"] if each["range"]["start"]["line"] >= to_end]
            if not below:
                continue
            kind = {"Same change": "same lines"}.get(answer["what"], "new names" if "→" in answer["what"] else "calls")
            first, last = (below[0]["range"][side]["line"] - shift for side in ("start", "end"))
            last = max(last, first + 1)
            if "message" in below[0]:  # the whole call
                while last < min(len(before), first + 20) and (lambda call: call.count("(") > call.count(")"))("".join(before[first:last])):
                    last += 1
            new = below[0]["newText"].split("\n")[:-1]
            touched = [each for each in hunks[k + 1:] if each[1] < last and each[2] > first]
            outcome, became = "not changed", []
            if touched:
                begin_now, end_now = touched[0][3] - max(0, touched[0][1] - first), touched[-1][4] + max(0, last - touched[-1][2])
                became = after[begin_now:end_now]
                # Where the same lines are found again, the difference of two versions may begin a few lines early or late.
                around = "\n".join(after[max(0, begin_now - 3):end_now + 3])
                outcome = "came next" if "\n".join(new) in around else "changed otherwise"
                if outcome != "came next" and kind == "new names":
                    old_now, new_now, old_said, new_said = (
                        len(re.findall(r"\b%s\b" % re.escape(each), "\n".join(lines)))
                        for lines in (became, new) for each in answer["what"].split(" → "))
                    outcome = "came with more" if old_now <= old_said and new_now >= new_said else outcome
            if "message" in below[0]:  # a call that lacks something: it was changed, or not
                kind, outcome = "calls that lack something", "came next" if touched else "not changed"
            counts[kind + ", " + outcome] += 1
            if given.v and outcome != "came next":
                print("%s, %s: %s of %s in %s:%d, from line %d" % (kind, outcome, answer["what"], commit[:8], path, first + 1, to + 1), *(
                    "\n   %s %s" % (sign, line) for sign, lines in (("-", before[begin:end]), ("+", after[to:to_end]), ("  =", before[first:last]),
                                                                  (" =>", new), ("  *", became if touched else ())) for line in lines[:4]))
        opened.close()
        left -= 1
        if not left:
            break
    server.kill()
    print("%d edits" % counts["edits"])
    for kind in ("same lines", "new names", "calls", "calls that lack something"):
        shown = {outcome: counts["%s, %s" % (kind, outcome)] for outcome in ("came next", "came with more", "changed otherwise", "not changed")}
        total = sum(shown.values())
        print("%s: shown %d times; %s" % (kind, total, ", ".join("%s %d (%.0f %%)" % (name, n, 100 * n / max(1, total)) for name, n in shown.items())))
    shown = sum(counts.values()) - counts["edits"]
    wrong = {each: sum(n for name, n in counts.items() if name.endswith(each)) for each in ("changed otherwise", "not changed")}
    print("all: shown %d times; wrong %.1f %%, of which the place stayed as it was %.1f %%" % (
        shown, 100 * sum(wrong.values()) / max(1, shown), 100 * wrong["not changed"] / max(1, shown)))
    times.sort()
    print("answered in: median %.2f ms, 99 of 100 in %.2f ms" % (times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000))


if __name__ == "__main__":
    main()
