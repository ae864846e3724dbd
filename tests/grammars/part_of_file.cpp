#include "edits/lazy/part_of_file.h"

#include <doctest/doctest.h>

#include "grammars/syntax_tree.h"

using namespace bodkin;

namespace {

constexpr char kPython[] =
    "import math\n\n\ndef area(r):\n    return math.pi * r * r\n\n\n"
    "def ring(a, b):\n    big = area(a)\n    small = area(b)\n    return big - small\n\n\n"
    "class Box:\n    def __init__(self, w, h):\n        self.w = w\n        self.h = h\n\n"
    "    def area(self):\n        return self.w * self.h\n";

constexpr char kScript[] =
    "import sys\n\nnames = []\nfor line in sys.stdin:\n    names.append(line)\n\n"
    "def shown(name):\n    return name.strip()\n\nfor name in names:\n    print(shown(name))\n";

constexpr char kNotes[] = "one\ntwo\nthree\nfour\nfive\nsix\n";

struct Case {
  const char *what, *path;
  std::string file, contents;
  const char* lost;  // a part of what is said; empty: it is the file
};

std::string with(std::string text, std::string_view old, std::string_view now) {
  return text.replace(text.find(old), old.size(), now);
}

}  // namespace

TEST_CASE("a text below a path is the whole file only if nothing of the file is left out") {
  const std::string python = kPython, script = kScript, notes = kNotes;
  const Case cases[] = {
      {"a line changed", "a.py", python, with(python, "big - small", "abs(big - small)"), ""},
      {"a function added", "a.py", python, python + "\n\ndef cube(a):\n    return a ** 3\n", ""},
      {"a function renamed", "a.py", python, with(python, "def ring", "def annulus"), ""},
      {"three lines became one", "a.py", python,
       with(python, "    big = area(a)\n    small = area(b)\n    return big - small",
            "    return area(a) - area(b)"),
       ""},
      {"every body is new", "a.py", python,
       "from math import pi\n\n\ndef area(r):\n    return pi * r ** 2\n\n\n"
       "def ring(a, b):\n    return area(a) - area(b)\n\n\n"
       "class Box:\n    def __init__(self, w, h):\n        self.sides = w, h\n\n"
       "    def area(self):\n        w, h = self.sides\n        return w * h\n",
       ""},
      {"only one function", "a.py", python, "def area(r):\n    return 3 * r * r\n",
       "leaves out lines"},
      {"a function that is new", "a.py", python,
       "def cube(a):\n" +
           std::string("    a += 1\n    a -= 1\n    a += 2\n    a -= 2\n    a += 3\n") +
           "    a -= 3\n    a += 4\n    a -= 4\n    a += 5\n    a -= 5\n    a += 6\n    return a\n",
       "nothing in common"},
      {"all but the last class", "a.py", python, python.substr(0, python.find("\n\nclass")),
       "leaves out lines"},
      {"all but a function in the middle", "a.py", python,
       python.substr(0, python.find("def ring")) + python.substr(python.find("class")),
       "leaves out lines"},
      {"a method of the class", "a.py", python,
       with(python.substr(0, python.find("    def __init__")), "def area(r)", "def area(radius)") +
           python.substr(python.find("    def area")),
       "leaves out lines"},
      {"all but the import", "b.py", "import math\n\ndef area(r):\n    return math.pi * r * r\n",
       "def area(r):\n    if r < 0:\n        raise ValueError\n    return math.pi * r * r\n",
       "leaves out line 1 of it"},
      {"the only function of a script", "c.py", script,
       "def shown(name):\n    return name.strip().title()\n", "leaves out lines"},
      {"a line of a text", "n.txt", notes, with(notes, "five", "5"), ""},
      {"some lines of a text", "n.txt", notes, "two\nthree!\nfour\n", "leaves out lines"},
      {"other lines than the text's", "n.txt", notes, "a\nb\nc\nd\ne\nf\ng\n", "nothing in common"},
      {"anything for an empty file", "n.txt", "\n\n", "a\n", ""},
      {"a key of many", "p.json",
       "{\n  \"name\": \"a\",\n  \"version\": \"1\",\n  \"scripts\": {\n    \"build\": \"x\",\n"
       "    \"test\": \"y\"\n  }\n}\n",
       "{\n  \"scripts\": {\n    \"build\": \"z\"\n  }\n}\n", "leaves out"},
  };
  const auto syntax = make_syntax();
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const auto lost = left_out(one.path, Text(one.file), one.contents, syntax.get());
    CAPTURE(lost.value_or(""));
    CHECK(lost.has_value() == (*one.lost != '\0'));
    CHECK(lost.value_or("").find(one.lost) != std::string::npos);
    // Without a grammar what is a part stays a part.
    if (lost) CHECK(left_out(one.path, Text(one.file), one.contents, nullptr));
  }
}

TEST_CASE("a function of twenty may go") {
  std::string file, contents;
  for (int i = 0; i < 40; ++i) {
    const std::string name = "f" + std::to_string(i);
    file += "int " + name + "(int a) {\n  return a + " + std::to_string(i) + ";\n}\n";
    if (i != 7)
      contents += "int " + name + "(int a) {\n  return a + " + std::to_string(i) + ";\n}\n";
  }
  CHECK(!left_out("a.c", Text(file), contents, make_syntax().get()));
}

TEST_CASE("a quote has runs of the file's lines in their order") {
  const Text file(kPython);
  CHECK(is_quote("def ring(a, b):\n    big = area(a)\n", file));
  CHECK(is_quote("  import math\n# ...\n\nclass Box:\n# ... existing code ...\ndef area(self):\n",
                 file));
  CHECK(is_quote(kPython, file));
  CHECK(!is_quote("class Box:\n# ...\nimport math\n", file));
  CHECK(!is_quote("def ring(a, b):\n    small = area(b)\n", file));
  CHECK(!is_quote("def ring(a):\n", file));
}
