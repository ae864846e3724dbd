"""Replies of models in all the ways in which models write edits, through both doors: `bodkin apply` on the
command line and bodkin.applyReply in an editor. What comes out must be the same bytes, or both refuse.

A case is one of EDITS (a file and what shall become of it) in one of the styles below. Some styles write the
old lines as models get them wrong; whether such an edit is placed or refused is not decided here, only that
both doors decide alike. Those in EXACT must give the wanted text, those in REFUSED are refused."""
import os
import subprocess
import tempfile

from abuse import check, ends_well
from editor import Editor

# (file, text, old lines, new lines); the old lines are whole lines that occur once.
EDITS = [
    ("area.py", "import math\n\n\ndef area(r):\n    return r * r\n\n\ndef ring(a, b):\n    return area(a) - area(b)\n",
     "    return r * r\n", "    return math.pi * r * r\n"),
    ("stack.c", "#include <stddef.h>\n\nstatic int items[16];\nstatic size_t count;\n\nint pop(void) {\n  return items[--count];\n}\n\nvoid push(int x) {\n  items[count++] = x;\n}\n",
     "int pop(void) {\n  return items[--count];\n", "int pop(void) {\n  if (count == 0) return -1;\n  return items[--count];\n"),
    ("src/greet.ts", "export interface Person {\n  name: string;\n}\n\nexport function greet(p: Person): string {\n  return \"Hello \" + p.name;\n}\n",
     "  return \"Hello \" + p.name;\n", "  return `Hello ${p.name}!`;\n"),
    ("main.go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor i := 0; i < 3; i++ {\n\t\tfmt.Println(i)\n\t}\n}\n",
     "\tfor i := 0; i < 3; i++ {\n\t\tfmt.Println(i)\n", "\tfor i := range 3 {\n\t\tfmt.Println(\"line\", i)\n"),
    ("lib.rs", "pub fn first(words: &[String]) -> &str {\n    &words[0]\n}\n\npub fn last(words: &[String]) -> &str {\n    &words[words.len() - 1]\n}\n",
     "pub fn first(words: &[String]) -> &str {\n    &words[0]\n", "pub fn first(words: &[String]) -> Option<&str> {\n    words.first().map(|w| w.as_str())\n"),
    ("Shop.java", "class Shop {\n    private int sold = 0;\n\n    void sell(int n) {\n        sold += n;\n    }\n\n    int sold() {\n        return sold;\n    }\n}\n",
     "        sold += n;\n", "        if (n < 0) throw new IllegalArgumentException();\n        sold += n;\n"),
    ("page.html", "<html>\n  <body>\n    <h1>Title</h1>\n    <p>First.</p>\n    <p>Second.</p>\n  </body>\n</html>\n",
     "    <p>First.</p>\n", "    <p class=\"lead\">First.</p>\n"),
    ("conf.yaml", "server:\n  port: 80\n  hosts:\n    - a\n    - b\nlog:\n  level: info\n",
     "    - b\n", "    - b\n    - c\n"),
    ("notes.md", "# Notes\n\nSome *words* here.\n\n- one\n- two\n\nThe end — truly.\n",
     "The end — truly.\n", "The end — for now.\n"),
    ("umlaut.py", "# Größe und Maß\nname = \"Jürgen\"\nprint(f\"Grüße, {name}! 👋\")\n",
     "name = \"Jürgen\"\n", "name = \"Zoë\"\n"),
    ("script.sh", "#!/bin/sh\nset -eu\nfor f in *.txt; do\n  echo \"$f\"\ndone\n",
     "  echo \"$f\"\n", "  printf '%s\\n' \"$f\"\n"),
    ("deep.js", "function a() {\n  if (x) {\n    if (y) {\n      call(1);\n    }\n  }\n}\n",
     "      call(1);\n", "      call(2);\n      done();\n"),
    ("last.txt", "one\ntwo\nthree", "three", "four"),
    ("windows.cs", "class A\r\n{\r\n    int x = 1;\r\n    int y = 2;\r\n}\r\n", "    int x = 1;\r\n", "    long x = 1;\r\n"),
]


def lf(text):
    return text.replace("\r\n", "\n")


def ended(text):
    return text if text.endswith("\n") else text + "\n"


def blocks(path, old, new, marks=("<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE")):
    return "%s\n%s%s\n%s%s\n" % (marks[0], ended(lf(old)), marks[1], ended(lf(new)), marks[2])


def aider(path, text, old, new):
    return "I change it:\n\n%s\n```\n%s```\nThat is all.\n" % (path, blocks(path, old, new))


def fenced_path_inside(path, text, old, new):
    return "```\n%s\n%s```\n" % (path, blocks(path, old, new))


def bare(path, text, old, new):
    return path + "\n" + blocks(path, old, new)


def dashes(path, text, old, new):
    return path + "\n" + blocks(path, old, new, ("------- SEARCH", "=======", "+++++++ REPLACE"))


def file_edit(path, text, old, new):
    return "<chat>Here it is.</chat>\n<file-edit filePath=\"%s\">\n%s</file-edit>\n" % (path, blocks(path, old, new))


def patch(path, text, old, new):
    minus = "".join("-%s\n" % line for line in lf(old).rstrip("\n").split("\n"))
    plus = "".join("+%s\n" % line for line in lf(new).rstrip("\n").split("\n"))
    return "*** Begin Patch\n*** Update File: %s\n@@\n%s%s*** End Patch\n" % (path, minus, plus)


def unified(path, text, old, new):
    import difflib
    lines = difflib.unified_diff(lf(text).splitlines(True), lf(text).replace(lf(old), lf(new)).splitlines(True),
                                 "a/" + path, "b/" + path)
    return "```diff\n%s```\n" % "".join(ended(line) + ("" if line.endswith("\n") else "\\ No newline at end of file\n")
                                        for line in lines)


def unified_with_wrong_numbers(path, text, old, new):
    return unified(path, text, old, new).replace("@@ -", "@@ -9")


def whole(path, text, old, new):
    return "%s\n```\n%s```\n" % (path, ended(lf(text).replace(lf(old), lf(new))))


def part_in_a_fence(path, text, old, new):
    return "Change it to:\n\n%s\n```\n%s```\n" % (path, ended(lf(new)))


def without_indentation(path, text, old, new):
    strip = lambda lines: "".join(line.lstrip(" \t") for line in lines.splitlines(True))
    return aider(path, text, strip(old), strip(new))


def one_level_less(path, text, old, new):
    less = lambda lines: "".join(line[2:] if line.startswith("  ") else line for line in lines.splitlines(True))
    return aider(path, text, less(old), less(new))


def trailing_spaces(path, text, old, new):
    return aider(path, text, lf(old).replace("\n", "  \n"), new)


def curly_quotes(path, text, old, new):
    return aider(path, text, old.replace("\"", "”"), new)


def not_there(path, text, old, new):
    return aider(path, text, "something else entirely\n" + old, new)


def cut_off(path, text, old, new):
    return aider(path, text, old, new).split(">>>>>>>")[0]


EXACT = [aider, fenced_path_inside, bare, dashes, file_edit, patch, unified]
REFUSED = [not_there, cut_off]
STYLES = EXACT + REFUSED + [unified_with_wrong_numbers, whole, part_in_a_fence, without_indentation, one_level_less,
                            trailing_spaces, curly_quotes]


def by_command_line(program, path, text, reply):
    """The file's bytes afterwards; None: refused."""
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", newline="", encoding="utf-8") as out:
            out.write(text)
        with tempfile.TemporaryDirectory() as state:
            run = subprocess.run([program, "apply", "--root", folder], input=reply.encode(), capture_output=True,
                                 env=dict(os.environ, XDG_STATE_HOME=state))
        check(run.returncode in (0, 1), "bodkin apply: " + run.stderr.decode())
        with open(place, newline="", encoding="utf-8") as result:
            after = result.read()
        check(run.returncode == 0 or after == text, "a refused reply changed the file")
        return after if run.returncode == 0 else None


class ByteEditor(Editor):
    """Its texts have any characters and line ends; it has announced UTF-8 positions."""

    def edited(self, edits, name):
        data = self.buffers[name].encode()
        lines, begin = [0], 0
        while begin < len(data):
            ends = [at for at in (data.find(b"\n", begin), data.find(b"\r", begin)) if at >= 0]
            if not ends:
                break
            begin = min(ends) + (2 if data[min(ends):min(ends) + 2] == b"\r\n" else 1)
            lines.append(begin)
        offset = lambda place: min(lines[min(place["line"], len(lines) - 1)] + place["character"], len(data))
        for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
            data = (data[:offset(edit["range"]["start"])] + edit["newText"].encode() +
                    data[offset(edit["range"]["end"]):])
        return data.decode()


def by_editor(editor, path, text, reply):
    editor.open(path, text)
    answer = editor.command("bodkin.applyReply", text=reply, textDocument={"uri": editor.uri(path)})
    if "error" not in answer:
        proposal = answer["result"]["proposalId"]
        check("result" in editor.command("bodkin.apply", proposalId=proposal), "apply was refused")
        ends = lambda: [s for s in editor.states if s["proposalId"] == proposal and s["state"] != "applying"]
        editor.until("the end of the apply", ends)
        check(ends()[0]["state"] == "applied", str(ends()[0]))
    after = editor.buffers[path]
    editor.close(path)
    return None if "error" in answer else after


def a_reply_gives_the_same_bytes_in_the_editor_and_on_the_command_line(program):
    editor = ByteEditor(program, {})
    applied = refused = 0
    for number, (name, text, old, new) in enumerate(EDITS):
        for style in STYLES:
            path = "%d-%s/%s" % (number, style.__name__, name)
            reply = style(path, text, old, new)
            where = "%s, %s:\n%s" % (name, style.__name__, reply)
            one, other = by_command_line(program, path, text, reply), by_editor(editor, path, text, reply)
            check(one == other, "%s\ncommand line: %r\neditor:       %r" % (where, one, other))
            if style in EXACT:
                check(one == text.replace(old, new), "%s\ngave %r" % (where, one))
            check(style not in REFUSED or one is None, "%s\ngave %r" % (where, one))
            applied, refused = applied + (one is not None), refused + (one is None)
    check(applied + refused == len(EDITS) * len(STYLES) and refused > 0, "the cases are not what they were")
    ends_well(editor)


def tests():
    test = a_reply_gives_the_same_bytes_in_the_editor_and_on_the_command_line
    return [(test.__name__.replace("_", " "), test)]
