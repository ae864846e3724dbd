#!/usr/bin/env python3
"""Runs the cases: what is applied where, what was forgiven, and what is refused and why.

    python3 tests/edits/cases.py BODKIN [PART_OF_A_NAME…]

tests/edits/cases/GROUP.txt has the cases of a group; a new one needs no code:

    %% case NAME
    %% before/PATH   a file before; none if there is no such part
    %% reply.md      the model's reply
    %% after/PATH    the files afterwards, all of them: the reply is accepted
 or %% refused.txt   the reply is refused, and nothing changes; each line is a part of the reasons given
                     ("kind: message" of the plan and of each hunk)
    %% options.json  if needed: "format" (else it is told by the reply), "path" (of the open file),
                     "truncated", "selection" {"path", "start_line", "end_line"}
    %% hunks.txt     if it matters: one line for each hunk, "QUALITY LINE" of an applied one ("fuzzy 12"), else its
                     state ("already_applied", "no_change")
    %% shown.txt     what is listed as shown and not applied: "LINE COUNT" of each fence

The lines below such a line are the part, byte for byte; with " (no newline at the end)" behind its name, without the
last newline. All cases go through `bodkin apply --jsonl`, so that they reach every format and the grammars. The last
line is: N passed, N failed, N skipped.
"""
import difflib
import glob
import json
import os
import subprocess
import sys

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
SINGLE = {"reply.md", "refused.txt", "options.json", "hunks.txt", "shown.txt"}
UNENDED = " (no newline at the end)"


def read_cases():
    """{"GROUP/CASE": {part: text}}."""
    cases = {}
    for path in sorted(glob.glob(os.path.join(CASES, "*.txt"))):
        parts, part = None, None
        with open(path, encoding="utf-8", newline="\n") as file:
            for line in file:
                if line.startswith("%% case "):
                    name = "%s/%s" % (os.path.basename(path)[:-len(".txt")], line[len("%% case "):-1])
                    if name in cases:
                        raise ValueError("%s is there twice" % name)
                    parts, part = cases.setdefault(name, {}), None
                elif line.startswith("%% "):
                    part = line[len("%% "):-1]
                    if part in parts:
                        raise ValueError("%s has %s twice" % (name, part))
                    parts[part] = ""
                else:
                    parts[part] += line
    return {name: {part.removesuffix(UNENDED): text[:-1] if part.endswith(UNENDED) else text
                   for part, text in parts.items()} for name, parts in cases.items()}


def files_of(parts, side):
    return {part[len(side):]: text for part, text in parts.items() if part.startswith(side)}


def lines_of(parts, name):
    return [line for line in parts[name].splitlines() if line.strip()] if name in parts else None


def feed_of(name, parts):
    """What bodkin gets."""
    strange = [part for part in parts if part not in SINGLE and not part.startswith(("before/", "after/"))]
    if strange:
        raise ValueError("what is %s?" % ", ".join(sorted(strange)))
    if "reply.md" not in parts or bool(files_of(parts, "after/")) == ("refused.txt" in parts):
        raise ValueError("a case has reply.md, and after/ or refused.txt")
    options = json.loads(parts.get("options.json", "{}"))
    if set(options) - {"format", "path", "truncated", "selection"}:
        raise ValueError("options.json has an option that there is not")
    return {"id": name, "format": options.pop("format", "auto"), "files": files_of(parts, "before/"),
            "edit": parts["reply.md"], "options": options}


def faults(parts, feed, result):
    """Why the result is not what the case expects."""
    got = {path: text for path, text in result["files"].items() if text is not None}
    refused = lines_of(parts, "refused.txt")
    reasons = [error for error in [result["error"]] + [hunk.get("error") for hunk in result["hunks"]] if error]
    said = "\n".join("%s: %s; %s" % (error["kind"], error["message"], error.get("advice", "")) for error in reasons)
    wanted = feed["files"] if refused is not None else files_of(parts, "after/")
    if result["ok"] != (refused is None):
        yield "it was %s" % ("accepted" if result["ok"] else "refused: " + said)
    for part in refused or []:
        if not result["ok"] and part not in said:
            yield "it says not \"%s\" but \"%s\"" % (part, said)
    for path in sorted(set(got) | set(wanted)):
        if got.get(path) == wanted.get(path) or (not result["ok"] and refused is None):
            continue
        a, b = (files.get(path, "").splitlines(True) for files in (wanted, got))
        yield "%s is not as expected:\n%s" % (path, "".join(
            repr(line)[1:-1] + "\n" for line in difflib.unified_diff(a, b, "expected", "got", n=2)))
    hunks = ["%s %d" % (hunk["quality"], hunk["line"]) if hunk["state"] == "applied" and "quality" in hunk
             else hunk["state"] for hunk in result["hunks"]]
    expected = lines_of(parts, "hunks.txt")
    if expected is not None and hunks != expected:
        yield "its hunks are %s" % ", ".join(hunks)
    shown = ["%d %d" % (lines["line"], lines["lines"]) for lines in result.get("shown", [])]
    if (expected := lines_of(parts, "shown.txt")) is not None and shown != expected:
        yield "it lists as shown: %s" % ", ".join(shown)


def main():
    wanted = sys.argv[2:]
    cases = {name: parts for name, parts in read_cases().items() if not wanted or any(part in name for part in wanted)}
    feeds, broken = [], []
    for name, parts in cases.items():
        try:
            feeds.append(feed_of(name, parts))
        except ValueError as error:
            broken.append((name, str(error)))
    done = subprocess.run([sys.argv[1], "apply", "--jsonl"], stdout=subprocess.PIPE, check=True,
                          input="".join(json.dumps(feed) + "\n" for feed in feeds).encode())
    results = [json.loads(line) for line in done.stdout.decode().splitlines()]
    for feed, result in zip(feeds, results, strict=True):
        broken += [(feed["id"], fault) for fault in faults(cases[feed["id"]], feed, result)]
    for name, fault in broken:
        print("FAILED %s: %s" % (name, fault))
    failed = len({name for name, _ in broken})
    print("%d passed, %d failed, 0 skipped" % (len(cases) - failed, failed))
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
