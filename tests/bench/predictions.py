#!/usr/bin/env python3
"""Replays edits from git histories with a model that knows the next one and says it as such models do: prints how
often bodkin shows it where it belongs.

    python3 tests/bench/predictions.py [--edits N] [--seed N] [--format zeta|sweep] BODKIN REPOSITORY…

Of a commit one changed file is taken, and its hunks are made from the top. Before each the model is asked; it answers
with the region as it will be after that hunk, with one of the slips below. `placed`: the text is the one that the next
hunk makes; `nothing`: no edit is shown; `wrong`: another text. Three kinds of hunks are counted apart: those of which the reply
`lacks a part`, where nothing is right; those `at an end` of what is said, which look like these; and those that `break the
syntax` as long as the next hunk is not made, too: they are placed in a file whose language is not known, and not shown in this
one. It decides nothing.
"""
import argparse
import collections
import difflib
import os
import random
import re
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "transcripts"))
from next_edits import commits  # noqa: E402
from predictions import Completions, Typist, at  # noqa: E402

SLIPS = ("exact", "last lines missing", "first lines missing", "runs on below", "begins above", "shifted up",
         "shifted down", "blanks at line ends", "cut in the last line", "stale text")


def said(slip, region, before, after, choose, few):
    """The region's lines, and those around it, as the model says them; None: this slip is none here."""
    if slip == "last lines missing":
        return region[:-few] if len(region) > few + 1 else None
    if slip == "first lines missing":
        return region[few:] if len(region) > few + 1 else None
    if slip == "runs on below":
        return region + after[:few] if after else None
    if slip == "begins above":
        return before[-few:] + region if before else None
    if slip == "shifted up":
        return before[-few:] + region[:-few] if before and len(region) > few + 1 else None
    if slip == "shifted down":
        return region[few:] + after[:few] if after and len(region) > few + 1 else None
    if slip == "blanks at line ends":
        return [line + " " if line and choose.random() < .3 else line for line in region]
    if slip == "cut in the last line":
        return region[:-1] + [region[-1][:len(region[-1]) // 2]] if len(region[-1]) > 3 else None
    return region


class Player:
    """Answers as the model: knows the lines of now, and those after the next hunk."""

    def __init__(self, form, choose):
        self.form, self.choose, self.slip, self.region = form, choose, "exact", None

    def set(self, now, goal, hunk, slip, few, last):
        self.now, self.goal, self.hunk, self.slip, self.few, self.last = now, goal, hunk, slip, few, last
        self.region, self.kind = None, slip

    def __call__(self, body):
        prompt = body["prompt"]
        if self.form == "zeta":
            shown = prompt[prompt.rindex("<|marker_1|>"):prompt.rindex("\n<[fim-middle]>")]
            numbers = [int(each) for each in re.findall(r"<\|marker_(\d+)\|>", shown)]
            region = re.sub(r"<\|marker_\d+\|>|<\|user_cursor\|>", "", shown)
        else:
            region = re.search(r"<\|file_sep\|>current/[^\n]*\n(.*)<\|file_sep\|>updated/", prompt, re.S)[1]
        lines = region.split("\n")[:-1]
        first = next(i for i in range(len(self.now) + 1) if self.now[i:i + len(lines)] == lines)
        last = first + len(lines)
        shift = len(self.goal) - len(self.now)
        if self.goal[:first] != self.now[:first] or self.goal[last + shift:] != self.now[last:]:
            self.slip = None  # the hunk is not in the region
            return region
        new = self.goal[first:last + shift]
        few = self.few
        words = said(self.slip, new, self.now[:first], self.now[last:], self.choose, few)
        if self.slip == "stale text":
            words = None
            if self.last and first <= self.last[0] and self.last[1] < self.hunk[0]:
                words = new[:self.last[0] - first] + self.last[2] + new[self.last[1] - first:]
        begin, end = (each - first for each in self.hunk)
        above = few if self.slip in ("first lines missing", "shifted down") else 0
        below = few if self.slip in ("last lines missing", "shifted up") else self.slip == "cut in the last line"
        is_whole = begin >= above and end <= len(new) - below
        self.kind = "lacks a part" if not is_whole else "at an end" if begin == above or end == len(new) - below else self.slip
        if words is None or self.goal == self.now:
            self.slip = None
            return region
        self.region = (first, last)
        text = "\n".join(words) + ("" if self.slip == "cut in the last line" else "\n")
        if self.slip == "cut in the last line":
            return ("<|marker_1|>" if self.form == "zeta" else "") + text, "length"
        return "<|marker_1|>%s<|marker_%d|>" % (text, numbers[-1]) if self.form == "zeta" else text


def applied(text, edits):
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda each: each["range"]["start"]["line"], reverse=True):
        begin, end = edit["range"]["start"], edit["range"]["end"]
        offset = lambda place: sum(len(line.encode()) + 1 for line in lines[:place["line"]]) + place["character"]
        data = "\n".join(lines).encode()
        lines = (data[:offset(begin)] + edit["newText"].encode() + data[offset(end):]).decode().split("\n")
    return "\n".join(lines)


def outcome_of(now, goal, edits):
    strip = lambda text: [each.rstrip() for each in text.split("\n")]
    return "placed" if strip(applied("\n".join(now), edits)) == strip("\n".join(goal)) else "wrong" if edits else "nothing"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("repositories", nargs="+")
    options.add_argument("--edits", type=int, default=300)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--format", default="sweep", choices=("sweep", "zeta"))
    options.add_argument("-v", action="store_true", help="also print what was not placed")
    given = options.parse_args()
    choose = random.Random(given.seed)
    player = Player(given.format, choose)
    model = Completions(player)
    counts, times = collections.defaultdict(collections.Counter), []
    for path, before, after, _, _ in commits(given.repositories, given.seed):
        hunks = [code for code in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
                 if code[0] != "equal"]
        if not 2 <= len(hunks) <= 12 or "\r" in "".join(before + after) or not "\n".join(before).isascii() or not "\n".join(after).isascii():
            continue
        name = os.path.basename(path)
        editor = Typist(os.path.abspath(given.program), model, name=given.format + "-next-edit", text="\n".join(before), path=name)
        last = None  # edit: its lines, and what they were
        for _, begin, end, to, to_end in hunks:
            now = editor.buffers[name].split("\n")
            goal = now[:to] + after[to:to_end] + now[to + end - begin:]
            slip, few = choose.choice(SLIPS), choose.randint(1, 3)
            player.set(now, goal, (to, to_end), slip, few, last)
            begun = time.perf_counter()
            line = min(to, len(now) - 1)
            answer = editor.predicted(line)
            found = answer["edits"]
            times.append(time.perf_counter() - begun)
            if player.slip and player.region and "checked" in answer:  # it was asked, and the hunk is in what it was shown
                outcome, kind = outcome_of(now, goal, found), player.kind
                if outcome == "nothing" and kind in SLIPS:
                    player.set(now, goal, (to, to_end), slip, few, last)
                    plain = Typist(os.path.abspath(given.program), model, name=given.format + "-next-edit", text="\n".join(now), path="plain.txt")
                    if outcome_of(now, goal, plain.predicted(line)["edits"]) == "placed":
                        kind = "break the syntax"
                    plain.kill()
                counts[kind][outcome] += 1
                if given.v and outcome != "placed":
                    print(kind + ",", player.slip, outcome, path, player.region, (begin, end, to, to_end), now[to:to + end - begin][:3], after[to:to_end][:3],
                          [(each["range"]["start"]["line"], each["range"]["end"]["line"], each["newText"][:80]) for each in found])
            last = None
            if choose.random() < .3 and to + end - begin < len(now):  # typed by a person
                last = (to, to_end, before[begin:end])
                editor.close(name)  # what was changed at once is forgotten
                editor.open(name, "\n".join(now))
                editor.buffers[name] = "\n".join(goal)
                editor.versions[name] += 1
                editor.notify("textDocument/didChange", {
                    "textDocument": {"uri": editor.uri(name), "version": editor.versions[name]}, "contentChanges": [
                        {"range": {"start": at(to, 0, 0)["start"], "end": at(to + end - begin, 0, 0)["start"]}, "text": "".join(line + "\n" for line in after[to:to_end])}]})
            else:
                editor.change_at_once(name, "\n".join(goal))
        editor.kill()
        if sum(sum(each.values()) for each in counts.values()) >= given.edits:
            break
    total = collections.Counter()
    for slip in (*SLIPS, "at an end", "lacks a part", "break the syntax"):
        total += counts[slip] if slip in SLIPS else collections.Counter()
        print("%-22s %s" % (slip, ", ".join("%s %d" % (name, counts[slip][name]) for name in ("placed", "nothing", "wrong"))))
    print("%-22s %s" % ("all inside", ", ".join("%s %d (%.1f %%)" % (name, total[name], 100 * total[name] / max(1, sum(total.values())))
                                         for name in ("placed", "nothing", "wrong"))))
    times.sort()
    print("answered in: median %.1f ms, 99 of 100 in %.1f ms" % (times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000))


if __name__ == "__main__":
    main()
