#!/usr/bin/env python3
"""Runs the directory of cases: what is applied where, what was forgiven, and what is refused and why.

    python3 tests/edits/cases.py BODKIN [PART_OF_A_NAME…]

A case is a directory tests/edits/cases/GROUP/CASE; a new one needs no code:

    before/        the files; none if it is not there
    reply.md       the model's reply, byte for byte
    after/         all files as they are afterwards: the reply is accepted
  or refused.txt   the reply is refused, and nothing changes; each line is a part of the reasons given
                   ("kind: message" of the plan and of each hunk)
    options.json   if needed: "format" (else it is told by the reply), "path" (of the open file),
                   "truncated", "selection" {"path", "start_line", "end_line"}
    hunks.txt      if it matters: one line for each hunk, "QUALITY LINE" of an applied one ("fuzzy 12"), else its
                   state ("already_applied", "no_change")
    shown.txt      what is listed as shown and not applied: "LINE COUNT" of each fence

All cases go through `bodkin apply --jsonl`, so that they reach every format and the grammars. The last line is:
N passed, N failed, N skipped.
"""
import difflib
import json
import os
import subprocess
import sys

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")
PARTS = {"before", "after", "reply.md", "refused.txt", "options.json", "hunks.txt", "shown.txt"}


def text_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def files_in(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            found[os.path.relpath(path, folder).replace(os.sep, "/")] = text_of(path)
    return found


def lines_in(path):
    return [line for line in text_of(path).splitlines() if line.strip()] if os.path.exists(path) else None


def feed_of(name):
    """What bodkin gets."""
    folder = os.path.join(CASES, name)
    parts = set(os.listdir(folder))
    if parts - PARTS:
        raise ValueError("what is %s?" % ", ".join(sorted(parts - PARTS)))
    if "reply.md" not in parts or ("after" in parts) == ("refused.txt" in parts):
        raise ValueError("a case has reply.md, and after/ or refused.txt")
    options = json.loads(text_of(os.path.join(folder, "options.json"))) if "options.json" in parts else {}
    if set(options) - {"format", "path", "truncated", "selection"}:
        raise ValueError("options.json has an option that there is not")
    return {"id": name, "format": options.pop("format", "auto"), "files": files_in(os.path.join(folder, "before")),
            "edit": text_of(os.path.join(folder, "reply.md")), "options": options}


def faults(name, feed, result):
    """Why the result is not what the case expects."""
    folder = os.path.join(CASES, name)
    got = {path: text for path, text in result["files"].items() if text is not None}
    refused = lines_in(os.path.join(folder, "refused.txt"))
    reasons = [error for error in [result["error"]] + [hunk.get("error") for hunk in result["hunks"]] if error]
    said = "\n".join("%s: %s; %s" % (error["kind"], error["message"], error.get("advice", "")) for error in reasons)
    wanted = feed["files"] if refused is not None else files_in(os.path.join(folder, "after"))
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
    expected = lines_in(os.path.join(folder, "hunks.txt"))
    if expected is not None and hunks != expected:
        yield "its hunks are %s" % ", ".join(hunks)
    shown = ["%d %d" % (lines["line"], lines["lines"]) for lines in result.get("shown", [])]
    if (expected := lines_in(os.path.join(folder, "shown.txt"))) is not None and shown != expected:
        yield "it lists as shown: %s" % ", ".join(shown)


def main():
    parts = sys.argv[2:]
    names = ["%s/%s" % (group, case) for group in sorted(os.listdir(CASES))
             for case in sorted(os.listdir(os.path.join(CASES, group)))]
    names = [name for name in names if not parts or any(part in name for part in parts)]
    feeds, broken = [], []
    for name in names:
        try:
            feeds.append(feed_of(name))
        except (ValueError, OSError) as error:
            broken.append((name, str(error)))
    done = subprocess.run([sys.argv[1], "apply", "--jsonl"], stdout=subprocess.PIPE, check=True,
                          input="".join(json.dumps(feed) + "\n" for feed in feeds).encode())
    results = [json.loads(line) for line in done.stdout.decode().splitlines()]
    for feed, result in zip(feeds, results, strict=True):
        broken += [(feed["id"], fault) for fault in faults(feed["id"], feed, result)]
    for name, fault in broken:
        print("FAILED %s: %s" % (name, fault))
    failed = len({name for name, _ in broken})
    print("%d passed, %d failed, 0 skipped" % (len(names) - failed, failed))
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main())
