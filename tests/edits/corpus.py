#!/usr/bin/env python3
"""Runs the cases of the peers' own test suites.

    python3 tests/edits/corpus.py BIN_DIR [CORPUS_DIR]

The corpus (one JSONL file a peer; its README has the fields) is not part of the project; without it, all
is skipped. What a peer expects is not always safe: it takes the first of several matches, say, or applies
half of a plan. Such cases are in corpus_unsafe.txt, each with its reason; of those only this is asked: that
nothing is claimed which the peer does not expect, or that the case is refused. The last line is:
N passed, N failed, N skipped.
"""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# By what a corpus format's name begins with, longest first.
FORMATS = [
    ("search-replace/cline", "search_replace_dashes"), ("search-replace/roo", "roo"), ("search-replace", "search_replace"),
    ("str-replace", "str_replace"), ("multi-str-replace", "str_replace"),
    ("apply-patch", "patch"), ("udiff/aider", "unified"), ("udiff/continue", "unified"), ("udiff/git", "unified"), ("diff/unified", "unified"),
    ("lazy", "lazy"), ("whole", "whole"),
]


def format_of(name):
    return next((ours for begin, ours in FORMATS if name.startswith(begin)), None)


def files_of_blocks(blocks):
    """Files in which each block has its place, and what they are afterwards. None: they do not stand together."""
    before, after, separators = {}, {}, 0
    for block in blocks:
        path, search, replace = block.get("path"), block.get("search"), block.get("replace")
        if not path or search is None:
            return None
        if not search.strip():
            if path in before or path in after:
                return None
            after[path] = replace
            continue
        if path in after and path not in before:
            return None
        if search in before.get(path, ""):
            return None
        if any(other is not block and search in (other.get("search") or "") for other in blocks):
            return None
        separators += 1
        between = "== separator %d ==\n" % separators
        before[path] = before.get(path, "") + between + search
        after[path] = after.get(path, "") + between + replace
    return before, after


def feed_of(case):
    """(what bodkin gets, the files expected or None for an error), or a reason to skip."""
    level = case.get("level") or "apply"
    expect, options = case["expect"], case.get("options") or {}
    ours = format_of(case["format"])
    if ours is None:
        return "its format is not one of ours"
    if level not in ("apply", "parse"):
        return "it asks a question that bodkin has no command for (%s)" % level
    files = dict(case.get("files") or {})
    if "blocks" in expect:
        if any("shell" in block for block in expect["blocks"]):
            return "it holds a shell command"
        made = files_of_blocks(expect["blocks"])
        if made is None:
            return "its blocks do not stand together in one file"
        files, wanted = made
    elif "files" in expect and "error" not in expect:
        wanted = expect["files"]
    elif "error" in expect:
        wanted = None
    else:
        return "it expects what bodkin does not print"
    edit = case["edit"]
    path = options.get("path") or next(iter(files), "f")
    if case["format"].startswith("search-replace/pair"):  # the halves of one block
        pair = json.loads(edit) if isinstance(edit, str) else edit
        edit = "%s\n<<<<<<< SEARCH\n%s=======\n%s>>>>>>> REPLACE\n" % (path, pair["search"], pair["replace"])
    elif ours == "lazy" and "```" not in edit:  # the sketch alone
        edit = "%s\n```\n%s\n```\n" % (path, edit.rstrip("\n"))
    if list(files) == ["f"] and re.search(r"^(test|example)\.ts$", edit, re.M):
        return "its edit names another file than it gives"
    given = {key: options[key] for key in ("path", "truncated", "selection") if key in options}
    if len(files) == 1 and "path" not in given:
        given["path"] = next(iter(files))
    feed = {"id": case["id"], "format": ours, "files": files, "edit": edit, "options": given}
    return feed, wanted


def same(got, wanted, before, options):
    loose = options.get("compare") == "ignore_trailing_whitespace"

    def text(value):
        if value is None:
            return None
        return "\n".join(line.rstrip() for line in value.splitlines()).strip() if loose else value
    return all(text(got.get(path)) == text(wanted.get(path, before.get(path)))
               for path in set(got) | set(wanted))


def main():
    folder = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("BODKIN_CORPUS", "")
    if not folder or not os.path.isdir(folder):
        print("skipped: the peers' cases are not here (CORPUS_DIR or $BODKIN_CORPUS)")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    unsafe = {}
    with open(os.path.join(HERE, "corpus_unsafe.txt"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.strip().partition("  ")
                unsafe[name] = reason
    passed = failed = 0
    skipped, feeds = {}, []
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jsonl"):
            continue
        with open(os.path.join(folder, name), encoding="utf-8") as lines:
            for line in lines:
                case = json.loads(line)
                made = feed_of(case)
                if isinstance(made, str):
                    skipped[made] = skipped.get(made, 0) + 1
                else:
                    feeds.append((case, *made))
    done = subprocess.run([os.path.join(sys.argv[1], "bodkin"), "apply", "--jsonl"], stdout=subprocess.PIPE, check=True,
                          input="".join(json.dumps(feed) + "\n" for _, feed, _ in feeds).encode())
    for (case, feed, wanted), line in zip(feeds, done.stdout.decode().splitlines()):
        result = json.loads(line)
        got = {path: text for path, text in result["files"].items() if text is not None}
        if wanted is None:
            good = not result["ok"] and got == feed["files"]
        else:
            good = result["ok"] and same(got, wanted, feed["files"], case.get("options") or {})
        if not good and case["id"] in unsafe:
            good = not result["ok"] and got == feed["files"] or unsafe[case["id"]].startswith("other:")
        if good:
            passed += 1
            continue
        failed += 1
        print("FAILED %s: %s" % (case["id"], result["error"] or ("other text" if wanted is not None else "was applied")))
    for reason, count in sorted(skipped.items()):
        print("skipped %d: %s" % (count, reason))
    print("%d passed, %d failed, %d skipped" % (passed, failed, sum(skipped.values())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
