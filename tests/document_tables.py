"""The tables of the documents that are made from the code; `python3 tests/documents.py --write` writes them.

A document marks the place of one with `<!-- table: NAME -->` … `<!-- end of table -->`. NAME is a function below, which
returns the lines between. What a function decides is said by a comment above it: `// Decides: …` (`-- Decides: …` in
Lua, `# Decides: …` in Python and shell).
"""
import glob
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
REGION = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.S)
FOLDERS = ("edits", "grammars", "agent", "lsp", "clients")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def version():
    return re.search(r"project\(bodkin VERSION ([\d.]+)", read("CMakeLists.txt"))[1]


def updated(text):
    """A document's text with its tables, and with the version of CMakeLists.txt in the names of packages."""
    text = REGION.sub(lambda region: region[1] + "\n".join(globals()[region[2]]()) + "\n" + region[3], text)
    return re.sub(r"(\bbodkin[-_])\d+\.\d+\.\d+", r"\g<1>" + version(), text)


def table(head, rows):
    """The rows, of which each is a list of cells, as Markdown."""
    lines = [head, ["---"] * len(head)] + [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return ["|" + "|".join(row) + "|" if row[0] == "---" else "| " + " | ".join(row) + " |" for row in lines]


def initializer(path, name):
    """The lines of a table in C++, from its name to the closing brace."""
    return re.search(re.escape(name) + r"\[\] = \{\n(.*?)\n\};", read(path), re.S)[1]


def first_sentence(text):
    text = re.sub(r",? for example \{.*|: \{.*", ":", re.sub(r"\s+", " ", text).strip())
    first = re.match(r".*?[.:](?= |$)", text)[0]
    return first.rstrip(":.") + "."


# Where it is decided

def rooms():
    """Each room or folder with what it is for, in the order in which they are built."""
    for folder in FOLDERS:
        built = os.path.join(folder, "CMakeLists.txt")
        text = read(built) if os.path.exists(os.path.join(ROOT, built)) else ""
        names = re.search(r"foreach\(room ([\w ]+)\)", text)
        for room in names[1].split() if names else [""]:
            said = re.search(r"^# %s: (.*)" % room, text, re.M) if room else None
            yield os.path.join(folder, room).rstrip("/"), said[1] if said else ""


def decider(code):
    """The name of what is defined first in these lines of code."""
    code = "\n".join(line for line in code.split("\n") if not re.match(r"\s*(//|--|#|template|\[\[)", line))
    name = re.search(r"((?:\w+::)*~?\w+(?:\(\))?|\w+\.\w+)\s*(?:\(|\[\]|\{| = )", code)[1]
    return "::".join(name.split("::")[-2:]) if "operator" in name else "::".join(name.split("::")[-2:]).removesuffix("()")


def decided():
    lines = []
    for room, contents in rooms():
        lines += ["", "**%s**%s" % (room, ": " + contents if contents else "")]
        for path in sorted(glob.glob(os.path.join(ROOT, room, "**", "*"), recursive=True)):
            if not path.endswith((".cpp", ".h", ".lua", ".py", ".sh")) or "node_modules" in path:
                continue
            code = read(path)
            for said in re.finditer(r"^ *(?://|--|#) Decides: (.*?)\.?\n", code, re.M):
                name = decider(code[said.end():said.end() + 400])
                lines.append("- %s: `%s`, %s" % (said[1], name, os.path.relpath(path, os.path.join(ROOT, room))))
    return lines[1:]


# For users

def strings(text):
    """The members of a row in C++: each string, its parts joined, or other text."""
    token = re.compile(r'R"\((.*?)\)"|"((?:[^"\\]|\\.)*)"|(,)|([^\s",]+)', re.S)
    members = [""]
    for raw, quoted, comma, other in token.findall(text):
        if comma:
            members.append("")
        members[-1] += raw or quoted.replace('\\"', '"') or other
    return members


def settings():
    rows = []
    for row in re.split(r"^    \{", initializer("lsp/workspace/settings_table.cpp", "kSettings"), flags=re.M)[1:]:
        key, _, default, scope, said, *values = strings(row.rstrip(", \n").removesuffix("}"))
        one_of = " One of %s." % values[0].replace("|", ", ") if values and 0 < values[0].count("|") < 7 else ""  # `bodkin settings NAME` lists more
        rows.append(["`%s`" % key, "`%s`" % default, scope.removeprefix("Scope::"), first_sentence(said) + one_of])
    return table(["`bodkin.…`", "default", "scope", "what it is"], rows)


def exit_codes():
    rows = []
    for name, text in re.findall(r"k(\w+)Footer\[\] = R\"\((.*?)\)\"", read("lsp/cli/help_texts.cpp"), re.S):
        codes = re.search(r"EXIT STATUS\n(.*?)(?:\n\n|\Z)", text, re.S)
        if codes:
            found = re.findall(r"^  (\d+) +(.*(?:\n {5}.*)*)", codes[1], re.M)
            own = [(code, re.sub(r"\s+", " ", words)) for code, words in found if not words.startswith(("invalid command line", "cancelled"))]
            names = {"Undo": "`undo`, `redo`"}.get(name, "`%s`" % name.lower())  # these two share their help
            rows.append([names, "; ".join("%s %s" % each for each in own)])
    return table(["command", "exit codes"], rows)


# For contributors

def tools():
    rows = re.findall(r'^    \{"(\w+)"', initializer("agent/tools/tools.cpp", "kTools"), re.M)
    return table(["tool", "what it does"], [["`%s`" % name, first_sentence(read("agent/tools/%s.md" % name).split("\n---\n")[1])] for name in rows])


def prices():
    rows = re.findall(r"Price (k\w+) = (\d+);\s+// (.*)", read("edits/align/prices.h"))
    return table(["price", "", "of what"], [["`%s`" % name, price, what] for name, price, what in rows if name != "kNever"])


def formats():
    rows = {}
    headers = sorted(glob.glob("edits/formats/parse_*.h", root_dir=ROOT))
    for name, parser in re.findall(r'\{Format::\w+, "(\w+)",\s+(\w+)', initializer("edits/formats/parse.cpp", "kFormats")):
        declares = [each for each in headers if re.search(r"\b%s\b" % parser, read(each))]
        # Without a parser here it is JSON, which edits/ does not know.
        rows.setdefault(declares[0] if declares else "agent/placing/edit_json.h", {})[name] = True
    return table(["format", "what it is", "grammar"],
                 [[", ".join("`%s`" % name for name in names), re.match(r"// (.*?)[.:]$", read(path), re.M)[1] + ".", "`%s`" % path]
                  for path, names in rows.items()])
