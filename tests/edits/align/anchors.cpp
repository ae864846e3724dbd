// Which lines an anchor names, and what evidence says of several places.
#include "edits/align/anchors.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;

namespace {

struct Row {
  const char* what;
  std::string file, anchor;
  int begin, end;  // lines from 0, half open; -1: the anchor names nothing, or several parts
};

const Row kRows[] = {
    {"a line", "a\nb = 1\n  c\nd\n", "b = 1", 1, 3},
    {"blanks round it", "a\nb = 1\n  c\nd\n", "  b = 1 ", 1, 3},
    {"nothing", "a\n", " ", -1, -1},
    {"in two places", "run:\n  a\nrun:\n  b\n", "run:", -1, -1},
    {"other quotes", "x\nif a == “x” then\n  go\n", "if a == \"x\" then", 1, 3},
    {"other blanks within it", "if a then\n  b\n", "if a  then", -1, -1},
    {"a head beside a line that opens nothing", "(ready now\nx\nready now {\n  y\n}\n",
     "ready now:", 2, 5},
    {"a head beside a comment", "x\n  # ready now:\n    y\nready now:\n  z\n", "ready now", 3, 5},
    {"a head above its brace", "x\nnow when ready\n{\n  y\n}\n", "when ready", 1, 5},
    {"a selector", ".btn .icon {\n  c\n}\n", ".btn", -1, -1},
    {"a selector of one element", "#btn .icon {\n  c\n}\n", "#btn", -1, -1},
    {"a table within a head", "x [a]:\n  b\n", "[a]", -1, -1},
    {"without what opens the block", "x\nclass A:\n  go\n", "class A", 1, 3},
    {"an equal line before one that only begins so", "run now\nx\nrun\n", "run", 2, 3},
    // Words.
    {"words within a head", "x\nwhen ready(a):\n    go\n", "when ready", 1, 3},
    {"words in the middle of a head", "x\nnow when ready(a):\n    go\n", "when ready", 1, 3},
    {"words in the middle of a line that opens nothing", "x\nnow when ready(a)\ngo\n", "when ready",
     -1, -1},
    {"the begin of a line that opens nothing", "x\nwhen ready(a)\ngo\n", "when ready", 1, 3},
    {"words at the end of a line", "x\n(if ready\n  go\n", "if ready", 1, 3},
    {"words before a dot that ends the line", "x\n-if ready.\n  go\n", "if ready", 1, 3},
    {"words before a colon that ends the line", "x\n-if ready:\n  go\n", "if ready", 1, 3},
    {"a part of a word", "x\nwhen readyto(a):\n    go\n", "when ready", -1, -1},
    {"the end of a word", "x\nawhen ready:\n    go\n", "when ready", -1, -1},
    {"the end of a word with an accent", "x\nÀwhen ready:\n    go\n", "when ready", -1, -1},
    {"a part of a dashed name", "x\nwhen ready-now:\n    go\n", "when ready", -1, -1},
    {"a part of a dotted name", "x\nwhen ready.now:\n    go\n", "when ready", -1, -1},
    {"a dash that joins nothing", "x\nwhen ready- now:\n    go\n", "when ready", 1, 3},
    {"the end of a dashed name", "x\nnot-ready(a):\n    go\n", "ready(a)", -1, -1},
    {"behind a dash that begins the line", "x\n-ready(a):\n    go\n", "ready(a)", 1, 3},
    {"behind a dash that is a sign", "x\na -ready(a):\n    go\n", "ready(a)", -1, -1},
    {"behind a dot", "x\na.ready(a):\n    go\n", "ready(a)", 1, 3},
    {"signs at both ends", "x\na(ready)b:\n    go\n", "(ready)", 1, 3},
    {"a word behind one that is a part", "x\nreadyto ready:\n  go\n", "ready", 1, 3},
    {"a word of a string", "x\na \"if ready\":\n  go\n", "if ready", -1, -1},
    {"a word of a comment", "x\na // if ready:\n  go\n", "if ready", -1, -1},
    {"a word behind a string", "x\na(\"b\", ready):\n  go\n", "ready", 1, 3},
    {"a word behind an escaped quote", "x\na(\"b\\\"\", ready):\n  go\n", "ready", 1, 3},
    {"a word within a string that has a quote", "x\na(\"b\\\" ready\"):\n  go\n", "ready", -1, -1},
    {"behind an apostrophe", "x\ndon't ready:\n  go\n", "ready", 1, 3},
    {"behind a letter in quotes", "x\nif 'a' ready:\n  go\n", "ready", 1, 3},
    {"a line that begins with a quote", "x\n'ready':\n  go\n", "ready", -1, -1},
    {"an item of a comment", "x\n* if ready:\n  go\n", "if ready", -1, -1},
    {"a product", "x\na * ready:\n  go\n", "ready", 1, 3},
    {"a comment of ini", "x\n;if ready:\n  go\n", "if ready", -1, -1},
    {"behind a semicolon", "x\na;if ready:\n  go\n", "if ready", 1, 3},
    // Heads on several lines.
    {"the last line of a wrapped head", "x\nmake_it(\n    a,\n    b) {\n  go();\n}\nx\n", "b) {", 1,
     6},
    {"a list of selectors", ".a,\n.b {\n  c: d;\n}\n.e {\n}\n", ".b {", 1, 4},
    {"a list of values", "a,\nb\nc {\n  d\n}\n", "a,", 0, 5},
    // Headings.
    {"a heading", "# A\na\n## B\nb\n# C\nc\n", "# A", 0, 4},
    {"a heading of the second level", "# A\na\n## B\nb\n## D\nd\n# C\nc\n", "## B", 2, 4},
    {"a heading without its sign", "One\n# Setup\nb\n\n# Next\n", "Setup", 1, 3},
    {"of the sixth level", "###### A\na\n# B\nb\n", "###### A", 0, 2},
    {"no heading of a seventh level", "# A\na\n####### B\nb\n# C\n", "# A", 0, 4},
    {"signs without a blank", "# A\na\n#B\nb\n# C\n", "# A", 0, 4},
    {"a heading within a fence", "# A\n```\n# B\n```\na\n# C\n", "# A", 0, 5},
    // Tables and stages.
    {"a table", "[a]\nx = 1\n[a.b]\ny = 2\n", "[a]", 0, 2},
    {"a table that is another's part", "[a]\nx = 1\n[a.b]\ny = 2\n", "[a.b]", 2, 4},
    {"a table by its name", "[a]\nx = 1\n[b]\ny = 2\n", "b", 2, 4},
    {"a table of a list", "[[a]]\nx = 1\n[b]\ny = 2\n", "[[a]]", 0, 2},
    {"a list is no table", "[a]\nx = 1\n[1, 2]\ny = 2\n[b]\n", "[a]", 0, 4},
    {"a call is no table", "[a]\nx = 1\n[f(2)]\ny = 2\n[b]\n", "[a]", 0, 4},
    {"empty brackets are no table", "[a]\nx = 1\n[]\ny = 2\n[b]\n", "[a]", 0, 4},
    {"an access is no table", "[a]\nx = 1\n[c] = 3\ny = 2\n[b]\n", "[a]", 0, 4},
    {"an open bracket is no table", "[a]\nx = 1\n[c\ny = 2\n[b]\n", "[a]", 0, 4},
    {"a stage", "FROM a\nRUN b\nFROM c\nRUN d\n", "FROM a", 0, 2},
    // Blocks.
    {"braces", "f() {\n  a;\n}\ng() {\n}\n", "f()", 0, 3},
    {"what goes on", "if a:\n  b\nelse:\n  c\nd\n", "if a", 0, 4},
    {"what goes on behind a brace", "if (a) {\n  b\n} else {\n  c\n}\nd\n", "if (a)", 0, 5},
    {"parts of a class", "class A {\npublic:\n  b;\nprivate:\n  c;\n};\nd;\n", "class A", 0, 6},
    {"directives", "f() {\n  a;\n#if B\n  c;\n#endif\n}\nd;\n", "f()", 0, 6},
    {"a comment at the margin", "def f():\n  a\n# b\n  c\nd\n", "def f", 0, 4},
    {"an initializer", "A(int b)\n    : b_(b) {\n  c;\n}\nd;\n", "A(int b)", 0, 4},
    {"a brace on its own line", "f()\n{\n  a;\n}\nb;\n", "f()", 0, 4},
    {"a list below its key", "a:\n- b\n- c\nd:\n- e\n", "a:", 0, 3},
    {"a list deeper than its key", "a:\n  - b\n  - c\nd:\n  - e\n", "a:", 0, 3},
    {"a line that opens nothing", "f() {\n  a;\n  b;\n}\nc;\n", "a;", 1, 4},
    // Elements.
    {"an element in itself", "<a>\n<a>\n</a>\n</a>\n<c>\n", "<a x>", -1, -1},
    {"an element on one line", "<a>b</a>\n<c>\n</c>\n", "<a>b</a>", 0, 3},
    {"an element that closes itself", "<a b/>\n<c>\n</c>\n", "<a b/>", 0, 3},
};

}  // namespace

TEST_CASE("an anchor names the lines of its section, or nothing") {
  for (const Row& row : kRows) {
    INFO(std::string(row.what));
    const MappedText file{Text(row.file)};
    const auto range = range_of_anchors(file, {row.anchor});
    CHECK((range ? static_cast<int>(range->begin) : -1) == row.begin);
    CHECK((range ? static_cast<int>(range->end) : -1) == row.end);
  }
}
