#!/usr/bin/env python3
"""Holds what documents and comments say about the code against the code.

    python3 tests/documents.py            # checks
    python3 tests/documents.py --write    # writes the tables that are made from the code, and the version

The tables of the documents are as document_tables.py makes them, and the packages have the version of CMakeLists.txt.
Each file that a document or a comment names exists, each section that is referred to is a heading, and each name in
code that a document mentions is in the sources. What the code has in a table is in the text that lists it. Documents
keep below their limits. A file of more than 350 lines says why. No two types have one name (the one-definition rule).
The last line is: N passed, N failed, N skipped.
"""
import glob
import os
import re
import subprocess
import sys

from document_tables import ROOT, read, updated

TOP = ("edits", "grammars", "agent", "lsp", "clients", ".ci", "tests", ".github")
SOURCES = (".cpp", ".h", ".ts", ".mts", ".mjs", ".lua", ".sh", ".py", "CMakeLists.txt")
KEPT = re.compile(r"^tests/(fuzz/cases|grammars/(corpus|lazy|accuracy))/")
# "parse_x.h", "queries/<id>/symbols.scm", "tests/streams/<format>": names in recipes.
PLACEHOLDER = re.compile(r"(^|[/_])(x|NAME|ID)([._/]|$)|[<…]|/[A-Z]{4,}$")
LSP_METHODS = ("workspace/configuration", "workspace/applyEdit")
MOST_BYTES = {"README.md": 15000, "all documents": 120000}
HELP = "clients/nvim/doc/bodkin.txt"


def exists(path, *folders):
    """Whether a path, a pattern, or a source without its extension is in one of the folders."""
    return any(glob.glob(os.path.normpath(os.path.join(ROOT, folder, path + ending)))
               for folder in folders for ending in ("", ".cpp", ".h", ".py"))


def prose(path):
    return re.sub(r"^```.*?^```|^    .*?$", "", read(path), flags=re.S | re.M)


def wrong_paths(path):
    folder = os.path.dirname(path)
    text = prose(path)
    for quoted in re.findall(r"`([\w.*<>…-]+/[\w.*<>…/-]*)`", text):
        first = quoted.split("/")[0]
        is_ours = first in TOP or folder in TOP and os.path.isdir(os.path.join(ROOT, folder, first))
        # SECURITY.md names tests by their place in tests/.
        if is_ours and not PLACEHOLDER.search(quoted) and quoted not in LSP_METHODS and not exists(quoted, "", folder, "tests"):
            yield "%s: `%s` does not exist" % (path, quoted)
    for link in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", text):
        if not exists(link, folder):
            yield "%s: the link to %s is dead" % (path, link)


def wrong_sections(path, text):
    """Sections are referred to by the document's path from the top: clients/USERS.md, "Trust"."""
    for document, sections in re.findall(r'((?:[\w.]+/)*\w+\.md)`?, ("[^"]+"(?: and "[^"]+")*)', re.sub(r"\s+", " ", text)):
        if not exists(document, ""):
            yield "%s: %s does not exist" % (path, document)
            continue
        headings = [each.strip(".:… ").lower() for each in re.findall(r"^(?:#+ |\*\*)(.+?)(?:\*\*.*)?$", read(document), re.M)]
        for section in re.findall(r'"([^"]+)"', sections):
            if section.strip(".:… ").lower() not in headings:
                yield '%s: %s has no section "%s"' % (path, document, section)


def comments_of(path):
    text = read(path)
    if path.endswith((".cpp", ".h", ".ts", ".mts", ".mjs")):
        return re.sub(r"\n\s*//", "", "\n".join(re.findall(r"//.*", text)))
    return "\n".join(re.findall(r"--.*" if path.endswith(".lua") else r"#.*", text))


def wrong_comments(path):
    comments = comments_of(path)
    for name in re.findall(r"(?<![\w/.])((?:%s)/[\w./-]*\w)" % "|".join(TOP[:-1]), comments):
        if not PLACEHOLDER.search(name) and not exists(name, ""):
            yield "%s: %s does not exist" % (path, name)
    yield from wrong_sections(path, comments)


def wrong_names(path, words):
    """Names in code: with an underscore, of a member, or in camel case."""
    for name in re.findall(r"`(~?[A-Za-z_]\w+(?:::~?\w+)*)(?:\(\))?`", prose(path)):
        if re.search(r"[a-z]_|::|[a-z][A-Z]", name) and not set(re.findall(r"\w+", name)) <= words:
            yield "%s: %s is not in the sources" % (path, name)


def between(path, begin, end):
    """The part of a file from the one text to the next occurrence of the other."""
    return re.search(re.escape(begin) + ".*?" + re.escape(end), read(path), re.S)[0]


def names_in(path, table, row=r'\{"([^"]+)"'):
    names = re.findall(r"^ *" + row, between(path, table + "[] = {", "\n};"), re.M)
    assert len(names) > 2, "%s: %s is not read" % (path, table)
    return names


def files_in(folder, ending):
    return sorted(os.path.basename(each)[:-len(ending)] for each in glob.glob(os.path.join(ROOT, folder, "*" + ending)))


def unlisted():
    """The tables of the code, and the texts by hand that name each of their rows."""
    agent, users, help_texts = "agent/README.md", "clients/USERS.md", "lsp/cli/help_texts.cpp"
    tables = [
        (names_in("edits/formats/parse.cpp", "kFormats", r'\{Format::\w+, "(\w+)"'), help_texts, "kApplyFooter", ')";'),
        (names_in("lsp/mcp/tool_table.cpp", "kTools"), help_texts, "kMcpFooter", ')";'),
        (files_in("agent/tools/dialects", ".json"), agent, "### Dialects", "\n#"),
        (set(files_in("agent/context/profiles", ".json")) - {"chat"}, users, "### Profiles", "\n#"),
        (files_in("agent/context/formats", ".md"), "lsp/workspace/settings_table.cpp", '"agent.editFormat"', "By the"),
        (re.findall(r'"(\w+)"', between("agent/context/profile.h", "kTemplateVariables[] = {", "};")), agent, "## Profiles", "\n#"),
        (names_in("agent/context/slash_commands.cpp", "kSlashCommands"), users, "### A request", "\n#"),
        ([each.removesuffix(" JSX") for each in names_in("grammars/languages.cpp", "kLanguages", r'\{"\w+", "([^"]+)"')],
         users, "### Languages", "\n#"),
        (re.findall(r'\bcommand\(\s*"(\w+)"', read("lsp/cli/subcommands.cpp")), users, "## The command line", "\n#"),
    ]
    for names, document, begin, end in tables:
        text = between(document, begin, end)
        for name in names:
            if not re.search(r"(?<![\w+#-])%s(?![\w+#-])" % re.escape(name), text, re.I):
                yield '%s, "%s": %s is not in it' % (document, begin.strip("# "), name)


def too_long(documents):
    sizes = {each: len(read(each).encode()) for each in documents}
    sizes["all documents"] = sum(sizes.values())
    for name, most in MOST_BYTES.items():
        if sizes[name] > most:
            yield "%s: %d bytes, and %d are the limit" % (name, sizes[name], most)


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
    files = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True).split("\n")[:-1]
    files = [each for each in files if not KEPT.match(each) and os.path.exists(os.path.join(ROOT, each))]
    # What the model is told is no document.
    documents = [each for each in files if each.endswith(".md") and not each.startswith(("agent/tools/", "agent/context/", "tests/"))
                 and each != "CHANGELOG.md"] + [HELP]
    if "--write" in sys.argv:
        for path in documents:
            text = updated(read(path))
            if text != read(path):
                with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                    file.write(text)
    sources = [each for each in files if each.endswith(SOURCES)]
    words = set(re.findall(r"\w+", " ".join(read(each) for each in sources + [each for each in files if each.endswith((".json", ".cmake"))])))
    ours = [each for each in sources if each.startswith(TOP[:4]) and each.endswith((".cpp", ".h"))]
    checks = [wrong_paths(each) for each in documents if each != HELP]
    checks += [wrong_sections(each, read(each)) for each in documents]
    checks += [wrong_names(each, words) for each in documents if each != HELP]
    checks += [wrong_comments(each) for each in sources if not each.endswith(".py")]
    checks += [["%s: run tests/documents.py --write" % each] if updated(read(each)) != read(each) else [] for each in documents]
    checks += [unlisted(), too_long(documents), types_defined_twice(ours)]
    checks.append(unexplained_lengths(ours + [each for each in files if re.match(r"clients/(nvim/lua|vscode/src)/.*\.(lua|ts)$", each)]))
    failed = 0
    for wrong in checks:
        wrong = list(wrong)
        failed += bool(wrong)
        for each in wrong:
            print("FAIL  %s" % each)
    print("%d passed, %d failed, 0 skipped" % (len(checks) - failed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
