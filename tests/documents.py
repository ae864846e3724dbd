#!/usr/bin/env python3
"""Holds what documents and comments say about the code against the code.

    python3 tests/documents.py

Each file that a document or a comment names exists, and each section that is referred to is a heading. Each function in
the README's tables "Where is it decided" and "Threads" is defined in one of the files of its row, and so is each one
that a document names with its file: `function` (`file`), `file` (`function`), (`function`, `file`) or `function` in
`file`. The README lists the rooms in the order in which they are built. What the code has in a table (tools, formats,
rungs, profiles, …) is in the document that lists it. A file of more than 350 lines says why. No two types have one
name (the one-definition rule). The last line is: N passed, N failed, N skipped.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = ("edits", "grammars", "agent", "lsp", "clients", ".ci", "tests", ".github")
KEPT = re.compile(r"^tests/(edits/cases|fuzz/cases|grammars/(corpus|lazy|accuracy))/")
# "parse_x.h", "queries/<id>/symbols.scm", "tests/streams/<format>": names in recipes,
# and "tests/fuzz/cases/TARGET".
PLACEHOLDER = re.compile(r"(^|[/_])(x|NAME)([._]|$)|[<…]|/[A-Z]{4,}$")
LSP_METHODS = ("workspace/configuration", "workspace/applyEdit")
CLIENTS = ("clients/nvim/lua/bodkin", "clients/vscode/src")


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


def is_defined(name, source):
    """Whether a source defines or declares the name; of other languages than C++, whether the word is in it."""
    with open(source, encoding="utf-8") as file:
        text = file.read()
    word = re.escape(name)
    if not source.endswith((".cpp", ".h")):
        return re.search(r"\b%s\b" % word, text)
    text = re.sub(r"//.*", "", text)
    owned = r"(?:\w+::)*~?" + word
    typed = r"^(?!\s*(?:return|else|throw|case|delete|co_\w+)\b).*(?:[\w>\]][*&]*|\[\])\s+[*&]*" + owned + r"(?:\(|\[|\{|;|,|:| =| \{|$)"
    return (re.search(typed, text, re.M)                                          # a function or a variable with its type
            or re.search(r"\b(?:class|struct|enum|enum class|namespace|using|define) %s\b" % owned, text)
            or re.search(r"^\s*(?:explicit )?(?:\w+::)*~?%s\(" % word, text, re.M) and re.search(r"\b%s::~?%s\(|\bclass %s\b" % (word, word, word), text)
            or re.search(r"[{,]\s*%s\s*(?:[,}]|= )" % word, text))                 # a value of an enum


def wrong_names(document, where, names, files, folders):
    """Which of the names are in none of the files."""
    sources = [source for each in files for source in sources_of(each, folders) if os.path.isfile(source)]
    for each in names:
        name = re.split(r"::|\.", each)[-1].strip("()~")
        if not any(is_defined(name, source) for source in sources):
            yield "%s: %s%s is not defined in %s" % (document, where, each, ", ".join(files))


def rows_of(text, least):
    """Of the tables in the text, without their heads."""
    lines = text.splitlines()
    bodies = [row for above, row in zip([""] + lines, lines) if row.startswith("|") and above.startswith("|") and not row.startswith("|---")]
    rows = [re.split(r"(?<!\\)\|", row.strip().strip("|")) for row in bodies]
    assert len(rows) >= least, "the table is not found"
    return rows


def is_file(text):
    named = re.fullmatch(r"[\w.*/-]+\.(?:cpp|h|py|lua|ts|mts|mjs|json|md|txt|cmake)", text)
    return (named or is_path(text)) and text not in LSP_METHODS


def wrong_functions():
    """The rows of the tables: what | files in backticks | functions in backticks, or a test's name."""
    parts = re.split(r"\*\*Where is it decided|\*\*Threads\.\*\*|\*Cancellation\*", read("README.md"))
    for what, where, which in rows_of(parts[1], 60):
        files = re.findall(r"`([^`]+)`", where)
        prefix = files[0] if where.strip().startswith("`%s`:" % files[0]) else None
        paths = [prefix + "/" + each for each in files[1:]] if prefix else files
        yield from wrong_names("README.md", what.strip() + ": ", re.findall(r"`([^`]+)`", which), paths, ("",))
    for row in rows_of(parts[2], 8):
        quoted = re.findall(r"`([^`]+)`", "|".join(row))
        names = [each for each in quoted if not is_file(each)]
        yield from wrong_names("README.md", row[0].strip() + ": ", names, [each for each in quoted if is_file(each)], ("",))


def wrong_pointers(path):
    """Functions that are named with their files, in words."""
    folder = os.path.dirname(path)
    text = re.sub(r"^```.*?^```|^    .*?$", "", read(path), flags=re.S | re.M)
    text = re.sub(r"\s*\n\s*", " ", text)
    quoted = r"`[^`|]+`(?:(?:, and |, | and |; )`[^`|]+`)*"
    pairs = []
    for left, right in re.findall(r"(?=(?<![,;`] )(?<!and )(%s)(?: \(| in )(%s))" % (quoted, quoted), text):
        left, right = re.findall(r"`([^`]+)`", left), re.findall(r"`([^`]+)`", right)
        if not all(map(is_file, left)):
            pairs.append((left, right))
        elif not any(map(is_file, right)):
            pairs.append((right, left))
    for inside in re.findall(r"\((%s)\)" % quoted, text):
        inside = re.findall(r"`([^`]+)`", inside)
        pairs.append(([each for each in inside if not is_file(each)], inside))
    for names, files in pairs:
        names = [each for each in names if re.fullmatch(r"(?:\w+::)*~?[A-Za-z_]\w{2,}(?:\(\))?", each)]
        files = [each for each in files if is_file(each) and not each.endswith("/")]
        names = [each for each in names if not any(re.match(r"(?:.*/)?%s\." % each, file) for file in files)]
        if not files or not names or any(PLACEHOLDER.search(each) for each in files):
            continue
        folders = ("", folder) + {".github": ("tests",), "clients": CLIENTS}.get(folder, ())
        gone = [each for each in files if not sources_of(each, folders)]
        if gone:
            yield "%s: %s does not exist" % (path, ", ".join(gone))
        else:
            yield from wrong_names(path, "", names, files, folders)


def wrong_rooms():
    """The README's order of the rooms, by which a room may include only those before it."""
    listed = re.findall(r"^\| `((?:edits|agent|lsp)/\w+)` \|", read("README.md"), re.M)
    built = ["%s/%s" % (folder, room) for folder in ("edits", "agent", "lsp")
             for rooms in re.findall(r"foreach\(room ([\w\s]+?)\)", read(folder + "/CMakeLists.txt")) for room in rooms.split()]
    if listed != built:
        yield "README.md: the rooms are listed as %s, but built as %s" % (", ".join(listed), ", ".join(built))


def between(path, begin, end):
    """The part of a file from the one text to the next occurrence of the other; "": to the end."""
    text = read(path)
    assert begin in text, "%s has no %s" % (path, begin.strip())
    start = text.index(begin)
    return text[start:text.index(end, start + len(begin)) if end else None]


def names_in(path, table, row=r'\{"([^"]+)"'):
    names = re.findall(r"^ *" + row, between(path, table + "[] = {", "\n};"), re.M)
    assert len(names) > 2, "%s: %s is not read" % (path, table)
    return names


def files_in(folder, ending):
    return sorted(os.path.basename(each)[:-len(ending)] for each in glob.glob(os.path.join(ROOT, folder, "*" + ending)))


def unlisted():
    """The tables of the code, and the documents that name each of their rows: (what, names, document, its part)."""
    agent, edits, help_texts = "agent/README.md", "edits/README.md", "lsp/cli/help_texts.cpp"
    formats = names_in("edits/formats/parse.cpp", "kFormats", r'\{Format::\w+, "(\w+)"')
    tables = [
        ("the format", formats, edits, ("## Formats", "\n## ")),
        ("the format", formats, help_texts, ("kApplyFooter", ')";')),
        ("the tool", names_in("agent/tools/tools.cpp", "kTools"), agent, ("## Tools", "\n### ")),
        ("the tool", names_in("lsp/mcp/tool_table.cpp", "kTools"), help_texts, ("kMcpFooter", ')";')),
        ("the dialect", files_in("agent/tools/dialects", ".json"), agent, ("### Dialects", "\n### ")),
        ("the profile", files_in("agent/context/profiles", ".json"), agent, ("**Profiles**", "`auto` is")),
        ("the edit format", files_in("agent/context/formats", ".md"), agent, ("**Edit formats**", "\n\n")),
        ("the variable", re.findall(r'"(\w+)"', between("agent/context/profile.h", "kTemplateVariables[] = {", "};")), agent,
         ("## Profiles", "\n### ")),
        ("the slash command", names_in("agent/context/slash_commands.cpp", "kSlashCommands"), "README.md", ("**A request**", "\n\n")),
        ("the language", [each.removesuffix(" JSX") for each in names_in("grammars/languages.cpp", "kLanguages", r'\{"\w+", "([^"]+)"')],
         "README.md", ("### Languages", ";")),
        ("the subcommand", re.findall(r'\bcommand\(\s*"(\w+)"', read("lsp/cli/subcommands.cpp")), "lsp/README.md", ("## Command line", "")),
    ]
    for what, names, document, part in tables:
        text = between(document, *part)
        for name in names:
            if not re.search(r"(?<![\w+#-])%s(?![\w+#-])" % re.escape(name), text, re.I):
                yield '%s, "%s": %s %s is not in it' % (document, part[0].strip("# *"), what, name)


def unexplained_lengths(files):
    for path in files:
        text = read(path)
        if text.count("\n") > 350 and not re.search(r"(?:[Mm]ore|onger) than (?:350 lines|others)", re.sub(r"\s+(?://|--)?\s*", " ", text[:4000])):
            yield "%s: it has more than 350 lines, and its header does not say why" % path


def types_of(path):
    """The qualified names of the classes, structs and enums that a source defines outside of others and of anonymous namespaces."""
    spaces = []
    for line in read(path).split("\n"):
        opened = re.match(r"namespace ([\w:]*) ?\{", line)
        if opened:
            spaces.append(opened[1])
        elif line.startswith("}  // namespace") and spaces:
            spaces.pop()
        defined = re.match(r"(?:struct|class|enum class|enum) (\w+)(?: final)?(?: :.*)? ?\{", line)
        if defined and "" not in spaces:
            yield "::".join([*spaces, defined[1]])
    assert not spaces, path + ": the end of a namespace has no comment that says so"


def types_defined_twice(files):
    where = {}
    for path in files:
        for name in types_of(path):
            where.setdefault(name, []).append(path)
    for name, paths in where.items():
        if len(paths) > 1:
            yield "%s is defined in %s" % (name, " and ".join(paths))


def main():
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split("\n")[:-1]
    files = [each for each in files if not KEPT.match(each) and os.path.exists(os.path.join(ROOT, each))]
    documents = [each for each in files if each.endswith(".md") and not each.startswith(("agent/tools/", "agent/context/"))]
    commented = [each for each in files if each.endswith((".cpp", ".h", ".ts", ".mts", ".mjs", ".lua", ".sh", "CMakeLists.txt"))]
    checks = [("paths of " + each, wrong_paths_of_document, each) for each in documents]
    checks += [("comments of " + each, wrong_names_in_comments, each) for each in commented]
    failed = 0
    checks += [("functions named in " + each, wrong_pointers, each) for each in documents]
    checks.append(("functions in the README's tables", lambda _: wrong_functions(), ""))
    checks.append(("the README's rooms", lambda _: wrong_rooms(), ""))
    checks.append(("what tables list", lambda _: unlisted(), ""))
    checks.append(("long files", unexplained_lengths, [
        each for each in files if re.match(r"(edits|grammars|agent|lsp|clients/nvim/lua|clients/vscode/src)/.*\.(cpp|h|lua|ts)$", each)]))
    checks.append(("types", types_defined_twice, [each for each in files if re.match(r"(edits|grammars|agent|lsp)/.*\.(cpp|h)$", each)]))
    for name, check, path in checks:
        wrong = list(check(path))
        failed += bool(wrong)
        for each in wrong:
            print("FAIL  %s" % each)
    print("%d passed, %d failed, 0 skipped" % (len(checks) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
