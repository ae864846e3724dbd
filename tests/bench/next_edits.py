#!/usr/bin/env python3
"""Replays edits from git histories, and asks after each what it implies below it: prints how often that came next.

    python3 tests/bench/next_edits.py BODKIN [--commits N] [--seed N] REPOSITORY…

Of a commit one changed file is taken; its hunks are made from the top, one after the other. REPOSITORY: a checkout or
a git directory. It decides nothing.
"""
import argparse
import collections
import difflib
import os
import random
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


def commits(repositories, seed):
    """(path, lines before, lines after), at random, for ever."""
    choose = random.Random(seed)
    known = {each: git(each, "rev-list", "--no-merges", "--max-count=600", "--all").split() for each in repositories}
    known = {each: ids for each, ids in known.items() if ids}
    while known:
        repository = choose.choice(sorted(known))
        commit = choose.choice(known[repository])
        names = [line.split("\t")[1] for line in
                 git(repository, "diff-tree", "-r", "--no-commit-id", "--name-status", commit).splitlines()
                 if line.startswith("M\t") and os.path.splitext(line)[1] in ENDS]
        if not names:
            continue
        path = choose.choice(names)
        sides = [git(repository, "show", "%s:%s" % (each, path)).split("\n") for each in (commit + "^", commit)]
        if max(map(len, sides)) <= 3000:
            yield path, *sides


class Opened:
    """A file in the editor, of which one hunk after the other is made."""

    def __init__(self, server, path, lines):
        self.server, self.uri, self.version = server, "file:///bench/" + os.path.basename(path), 1
        server.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri, "languageId": "", "version": 1, "text": joined(lines)}})

    def change(self, first, end, lines):
        """What is implied once lines [first, end) have become these, and how long the answer took."""
        self.version += 1
        self.server.notify("textDocument/didChange", {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [
            {"range": {"start": {"line": first, "character": 0}, "end": {"line": end, "character": 0}}, "text": joined(lines)}]})
        begun = time.perf_counter()
        answer = self.server.request("bodkin/nextEdits", {"uri": self.uri})["result"]
        return answer, time.perf_counter() - begun

    def close(self):
        self.server.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})


def joined(lines):
    return "".join(line + "\n" for line in lines)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("repositories", nargs="+")
    options.add_argument("--commits", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("-v", action="store_true", help="also print what did not come")
    given = options.parse_args()
    server = Server(os.path.abspath(given.program), tempfile.mkdtemp())
    server.request("initialize", {"processId": None, "capabilities": {}})
    server.notify("initialized", {})
    counts, times, left = collections.Counter(), [], given.commits
    for path, before, after in commits(given.repositories, given.seed):
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
            kind = "same lines" if answer["what"] == "Same change" else "new names"
            first, last = (below[0]["range"][side]["line"] - shift for side in ("start", "end"))
            new = below[0]["newText"].split("\n")[:-1]
            touched = [each for each in hunks[k + 1:] if each[1] < last and each[2] > first]
            outcome = "not changed"
            if touched:
                became = after[touched[0][3] - max(0, touched[0][1] - first):touched[-1][4] + max(0, last - touched[-1][2])]
                outcome = "came next" if "\n".join(new) in "\n".join(became) else "changed otherwise"
            counts[kind + ", " + outcome] += 1
            if given.v and outcome != "came next":
                print(kind, outcome, path, before[begin:end][:2], after[to:to_end][:2], before[first:last][:2], new[:2])
        opened.close()
        left -= 1
        if not left:
            break
    server.kill()
    print("%d edits" % counts["edits"])
    for kind in ("same lines", "new names"):
        shown = {outcome: counts["%s, %s" % (kind, outcome)] for outcome in ("came next", "changed otherwise", "not changed")}
        total = sum(shown.values())
        print("%s: shown %d times; %s" % (kind, total, ", ".join("%s %d (%.0f %%)" % (name, n, 100 * n / max(1, total)) for name, n in shown.items())))
    times.sort()
    print("answered in: median %.2f ms, 99 of 100 in %.2f ms" % (times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000))


if __name__ == "__main__":
    main()
