"""bodkin verify on ordinary projects: right edits and planted errors, made from their own lines.

  python3 tests/verify_cli/ordinary.py [--list] BODKIN [FOLDER…]

Without a folder: those of ordinary_projects.py. Each folder is a checkout that is set up as its developers have it (a build folder with compile_commands.json, a virtual
environment, node_modules). Of its largest sources some lines are changed, half so that they stay right (a comment, a
statement that does nothing, a new function, another number) and half by an error (a name that is nowhere, a file that is
missing, a bracket too few, a misspelled call). Nothing is written. Prints for each folder how many edits were answered, how
many answers were right, and what was said where nothing was; --list: also each answer that was not right.
"""
import collections
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import ordinary_projects

KINDS = {".py": "py", ".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp", ".js": "js", ".mjs": "js",
         ".ts": "ts", ".rs": "rs", ".sh": "sh", ".go": "go"}
COMMENT = {"py": "# looked at by hand", "sh": "# looked at by hand", "c": "/* looked at by hand */"}
NOTHING = {"py": "pass", "c": "(void)0;", "cpp": "(void)0;", "js": "void 0;", "ts": "void 0;", "rs": "let _ = 0;", "sh": "true",
           "go": "_ = 0"}
FUNCTION = {
    "py": "\n\ndef added_by_hand(value: int) -> int:\n    return value\n",
    "c": "\nint added_by_hand(int value);\nint added_by_hand(int value) { return value + 1; }\n",
    "cpp": "\nstatic inline int added_by_hand(int value) { return value + 1; }\n",
    "js": "\nfunction addedByHand(value) {\n  return value + 1;\n}\n",
    "ts": "\nexport function addedByHand(value: number): number {\n  return value + 1;\n}\n",
    "rs": "\n#[allow(dead_code)]\nfn added_by_hand(value: i32) -> i32 {\n    value + 1\n}\n",
    "sh": "\nadded_by_hand() {\n  echo \"$1\"\n}\n",
    "go": "\nfunc addedByHand(value int) int {\n\treturn value + 1\n}\n",
}
UNKNOWN = {"py": "missing_by_hand(1)", "c": "missing_by_hand.value = 1;", "cpp": "missing_by_hand(1);", "js": "missingByHand(1);",
           "ts": "missingByHand(1);", "rs": "missing_by_hand(1);", "sh": "if true; then", "go": "missingByHand(1)"}
IMPORT = {"py": "from missing_by_hand import value", "c": '#include "missing_by_hand.h"', "cpp": '#include "missing_by_hand.h"',
          "js": "", "ts": 'import { value } from "./missing-by-hand";', "rs": "use crate::missing_by_hand::value;", "sh": "",
          "go": ""}
STATEMENT = {
    "py": re.compile(r"\s+(return\b.*\w|\w[\w.]* = .*\w.*|\w[\w.]*\(.*\))$"),
    "go": re.compile(r"\s+(return\b.*\w\)?|[\w.]+ :?= .*\w\)?|[\w.]+\(.*\))$"),
    "sh": re.compile(r"\s+(echo|printf|local) .*[\w\"]$"),
}
OTHER = re.compile(r"\s+(return\b.*;|[\w.>-]+ = [^{]*;|[\w.>-]+\(.*\);)$")


def kind_of(path):
    return KINDS.get(os.path.splitext(path)[1])


def sources(folder):
    """Three of the largest sources of the commonest language, no tests, nothing generated."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=folder, capture_output=True, text=True, check=True).stdout.split("\0")
    found = collections.defaultdict(list)
    for name in names:
        kind, path = kind_of(name), os.path.join(folder, name)
        if not kind or re.search(r"(^|/)(tests?|docs?|examples?|vendor|third_party|dist|fuzzing|benchmarks?)/|test_|_test|\.min\.|\.d\.ts$|conf", name) or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            text = file.read()
        if "\r" not in text and 30 < text.count("\n") < 4000:
            found[kind].append((text.count("\n"), name, text))
    if not found:
        return []
    kind = max(found, key=lambda one: sum(size for size, *_ in found[one]))
    return [(kind, name, text) for _, name, text in sorted(found[kind], reverse=True)[:3]]


def plain_lines(kind, lines):
    """By line: whether it is code of every build, and no comment or text of several lines."""
    out, comment, depth, quote = [], False, 0, False
    first = next((line for line in lines if re.match(r"\s*#\s*if", line)), "")
    last = next((line for line in reversed(lines) if line.strip()), "")
    guards = int(first.startswith("#ifndef") and last.startswith("#endif"))
    for line in lines:
        if kind in ("c", "cpp"):
            depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
        out.append(not comment and not quote and depth <= guards)
        if kind == "py":
            quote ^= (line.count('"""') + line.count("'''")) % 2 == 1
        elif kind in ("js", "ts"):
            quote ^= line.count("`") % 2 == 1
        if kind not in ("py", "sh"):
            comment = line.rfind("/*") > line.rfind("*/") or (comment and "*/" not in line)
    return out


def is_inside(kind, lines, i):
    """True if a statement may be put above line i."""
    above = next((line for line in reversed(lines[:i]) if line.strip()), "")
    if kind == "py":
        return above.rstrip().endswith(":") and not lines[i].strip().startswith(("return (", "return ["))
    if kind == "sh":
        return bool(re.search(r"(\{|then|do)$", above))
    if kind == "go":
        return above.rstrip().endswith(("{", "}", ")")) and not above.strip().startswith(("case", "//", "var", "import"))
    return above.rstrip().endswith((";", "{")) and not above.strip().startswith(("case", "//", "*", "default"))


def edits_of(kind, text):
    """(what, is right, the text afterwards) of edits of a source."""
    lines = text.split("\n")
    statement = STATEMENT.get(kind, OTHER)
    plain = plain_lines(kind, lines)
    places = [i for i, line in enumerate(lines) if plain[i] and statement.fullmatch(line) and is_inside(kind, lines, i)]
    if not places:
        return
    def at(i, *now):
        return "\n".join(lines[:i] + list(now) + lines[i + 1:])
    for n, i in enumerate((places[len(places) // 3], places[2 * len(places) // 3])):
        line, blanks = lines[i], lines[i][:len(lines[i]) - len(lines[i].lstrip())]
        yield "comment", True, at(i, blanks + COMMENT.get(kind, "// looked at by hand"), line)
        yield "statement", True, at(i, blanks + NOTHING[kind], line)
        yield "unknown name", False, at(i, blanks + UNKNOWN[kind], line)
        if n == 0 and IMPORT[kind]:
            top = next((k for k, one in enumerate(lines) if re.match(r"(import|from|#\s*include|use) ?.*[\w\"'>;)]$", one)
                        and not re.search(r"[({]$|__future__", one)), None)
            if top is not None:
                yield "missing file", False, at(top, lines[top], IMPORT[kind])
        closing = line.rfind(")")
        is_text = line[closing + 1:].count('"') % 2 or line[closing + 1:].count("'") % 2
        if closing >= 0 and not is_text and line.count("(") == line.count(")") and kind != "sh":
            yield "bracket", False, at(i, line[:closing] + line[closing + 1:])
        elif kind == "sh" and line.count('"') == 2:
            yield "quote", False, at(i, line[:line.rfind('"')] + line[line.rfind('"') + 1:])
    yield "function", True, text.rstrip("\n") + "\n" + FUNCTION[kind]
    number = next((i for i in places if re.search(r"(?<![\w.\[-])[2-9](?![\w.\]])", lines[i])), None)
    if number is not None:
        yield "number", True, at(number, re.sub(r"(?<![\w.\[-])[2-9](?![\w.\]])", lambda m: str(int(m[0]) + 1), lines[number], count=1))
    defined = set(re.findall(r"(?:def|function|fn|func) (\w{4,})\(", text)) | set(re.findall(r"^(?:static )?\w[\w *]*?\b(\w{4,})\([^;]*\)\s*\{?$", text, re.M))
    call = next(((i, name) for i in places for name in re.findall(r"(?<![\w.>])(\w{4,})\(", lines[i]) if name in defined), None)
    if call and kind not in ("sh", "c"):  # C calls what is not declared
        i, name = call
        yield "misspelled call", False, at(i, lines[i].replace(name + "(", name + "Mistyped(", 1))


def reply_of(name, before, after):
    diff = difflib.unified_diff(before.splitlines(True), after.splitlines(True), "a/" + name, "b/" + name)
    return "".join(line if line.endswith("\n") else line + "\n" for line in diff)


def measure(program, folder, listed=False, most=3):
    """Of `most` sources of the folder: (what was found, why it was not checked, the times in ms)."""
    cases = []
    for kind, name, text in sources(folder)[:most]:
        for what, right, after in edits_of(kind, text):
            if after != text:
                cases.append({"id": "%s: %s" % (name, what), "root": os.path.abspath(folder), "what": what, "right": right,
                              "reply": reply_of(name, text, after)})
    feed = "".join(json.dumps({key: case[key] for key in ("id", "root", "reply")}) + "\n" for case in cases)
    done = subprocess.run([program, "verify", "--jsonl"], input=feed, capture_output=True, text=True, check=False)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    count, reasons, times = collections.Counter(), collections.Counter(), []
    for case, result in zip(cases, results):
        state = result.get("state")
        times.append(result.get("ms", 0))
        count["edits"] += 1
        if state not in ("clean", "problems"):
            reasons[re.sub(r"\d+", "N", str(result.get("reason") or result)[:150])] += 1
        else:
            count["answered"] += 1
            fits = (state == "clean") == case["right"]
            count["right"] += fits
            count["false clean"] += state == "clean" and not case["right"]
            count["right edits called clean"] += fits and case["right"]
            count["errors found"] += fits and not case["right"]
            if listed and not fits:
                print("  ", case["id"], state, json.dumps(result.get("new"))[:300])
        count["right edits"] += case["right"]
        count["planted errors"] += not case["right"]
    return count, reasons, sorted(times)


def main(arguments):
    listed = "--list" in arguments
    program, *folders = [one for one in arguments if one != "--list"]
    with tempfile.TemporaryDirectory() as name:
        if not folders:
            for project in ordinary_projects.NAMES:
                folder = Path(name).resolve() / project
                folder.mkdir()
                ordinary_projects.make(project, folder)
                folders.append(str(folder))
        total = collections.Counter()
        for folder in folders:
            count, reasons, times = measure(program, folder, listed)
            total += count
            print("%-16s %s; ms p50 %d p95 %d max %d" % (os.path.basename(folder.rstrip("/")), told(count), *(
                times[len(times) * share // 100] if times else 0 for share in (50, 95)), times[-1] if times else 0))
            for reason, many in reasons.most_common():
                print("   %3d not checked: %s" % (many, reason))
            sys.stdout.flush()
        print("%-16s %s" % ("all", told(total)))


def told(count):
    return ("%(edits)d edits, %(answered)d answered, %(right)d right, %(false clean)d false clean; "
            "%(right edits called clean)d of %(right edits)d right ones clean, "
            "%(errors found)d of %(planted errors)d errors found") % collections.defaultdict(int, count)


if __name__ == "__main__":
    main(sys.argv[1:])
