#!/usr/bin/env python3
"""Holds what documents and comments say about the code against the code.

    python3 tests/documents.py

Each file that a document or a comment names exists, each section that is referred to is a heading, and each function
in the README's table "Where is it decided" is in one of the files of its row. The last line is: N passed, N failed,
N skipped.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = ("edits", "grammars", "agent", "lsp", "clients", "tests", ".github")
KEPT = re.compile(r"^tests/(edits/cases|fuzz/cases|grammars/(corpus|lazy|accuracy))/")
# "parse_x.h", "queries/<id>/symbols.scm", "tests/streams/<dialect>": names in recipes,
# and "tests/fuzz/cases/TARGET".
PLACEHOLDER = re.compile(r"(^|[/_])(x|NAME)([._]|$)|[<…]|/[A-Z]{4,}$")
LSP_METHODS = ("workspace/configuration",)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def sources_of(path, folders):
    """The files that a path means: itself, a pattern, or a source without its extension."""
    found = []
    for folder in folders:
        whole = os.path.normpath(os.path.join(ROOT, folder, path))
        found += glob.glob(whole) or [each for each in (whole + ".cpp", whole + ".h", whole + ".py") if os.path.exists(each)]
    return found


def is_path(text):
    return re.fullmatch(r"[\w.*<>…/-]+/[\w.*<>…-]*", text) and not text.startswith(("/", "~", "*", "..")) and "//" not in text


def wrong_paths_of_document(path):
    folder = os.path.dirname(path)
    text = re.sub(r"^```.*?^```|^    .*?$", "", read(path), flags=re.S | re.M)
    for quoted in re.findall(r"`([^`\s]+)`", text):
        first = quoted.split("/")[0]
        is_ours = first in TOP or (folder in TOP and os.path.isdir(os.path.join(ROOT, folder, first)) and first)
        # SECURITY.md names tests by their place in tests/.
        if (is_path(quoted) and is_ours and not PLACEHOLDER.search(quoted) and quoted not in LSP_METHODS
                and not sources_of(quoted, ("", folder) if folder != ".github" else ("", "tests"))):
            yield "%s: `%s` does not exist" % (path, quoted)
    for link in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
        if not os.path.exists(os.path.join(ROOT, folder, link)):
            yield "%s: the link to %s is dead" % (path, link)


def comments_of(path):
    text = read(path)
    if path.endswith((".cpp", ".h", ".ts", ".mts", ".mjs")):
        return re.sub(r"\n\s*//", "", "\n".join(re.findall(r"//.*", text)).replace("\n//", "\n//"))
    if path.endswith(".lua"):
        return "\n".join(re.findall(r"--.*", text))
    return "\n".join(re.findall(r"#.*", text)) if path.endswith((".sh", ".txt", ".py")) else text


def wrong_names_in_comments(path):
    comments = comments_of(path)
    for name in re.findall(r"(?<![\w/.])((?:%s)/[\w./-]*\w)" % "|".join(TOP[:-1]), comments):
        if not PLACEHOLDER.search(name) and not sources_of(name, ("",)):
            yield "%s: %s does not exist" % (path, name)
    for name, sections in re.findall(r'((?:[\w]+/)?README)(?:\.md)?, ("[^"]+"(?: and "[^"]+")*)', comments):
        document = name + ".md"
        if not os.path.exists(os.path.join(ROOT, document)):
            yield "%s: %s does not exist" % (path, document)
            continue
        headings = re.findall(r"^(?:#+ |\*\*)(.+?)(?:\*\*.*)?$", read(document), re.M)
        for section in re.findall(r'"([^"]+)"', sections):
            if not any(heading.strip(".:… ").lower() == section.strip(".:… ").lower() for heading in headings):
                yield '%s: %s has no section "%s"' % (path, document, section)


def wrong_functions():
    """The rows of the table: what | files in backticks | functions in backticks, or a test's name."""
    table = read("README.md").split("**Where is it decided")[1].split("**Threads.**")[0]
    rows = [row.strip("|").split("|") for row in table.splitlines() if row.startswith("|")][2:]
    assert len(rows) > 30, "the table is not found"
    for what, where, which in rows:
        files = re.findall(r"`([^`]+)`", where)
        prefix = files[0] if where.strip().startswith("`%s`:" % files[0]) else None
        paths = [prefix + "/" + each for each in files[1:]] if prefix else files
        text = "".join(open(source, encoding="utf-8").read() for path in paths for source in sources_of(path, ("",))
                       if os.path.isfile(source))
        for each in re.findall(r"`([^`]+)`", which):
            name = re.split(r"::|\.", each)[-1].strip("()")
            if not re.search(r"\b%s\b" % re.escape(name), text):
                yield "README.md: %s: %s is not in %s" % (what.strip(), each, where.strip())


def main():
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split("\n")[:-1]
    files = [each for each in files if not KEPT.match(each) and os.path.exists(os.path.join(ROOT, each))]
    documents = [each for each in files if each.endswith(".md") and not each.startswith(("agent/tools/", "agent/context/"))]
    commented = [each for each in files if each.endswith((".cpp", ".h", ".ts", ".mts", ".mjs", ".lua", ".sh", "CMakeLists.txt"))]
    checks = [("paths of " + each, wrong_paths_of_document, each) for each in documents]
    checks += [("comments of " + each, wrong_names_in_comments, each) for each in commented]
    failed = 0
    for name, check, path in checks + [("functions in the README's table", lambda _: wrong_functions(), "")]:
        wrong = list(check(path))
        failed += bool(wrong)
        for each in wrong:
            print("FAIL  %s" % each)
    print("%d passed, %d failed, 0 skipped" % (len(checks) + 1 - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
