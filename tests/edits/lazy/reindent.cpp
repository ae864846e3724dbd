// How deep an added line belongs in the file.
#include "edits/lazy/reindent.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

struct Row {
  const char* what;
  std::string file;
  std::string hunk;  // lines with ' ', '-' or '+' before them; '~': a kept line that the file lacks
  std::string added;  // its added lines, as they are written
};

const Row kRows[] = {
    {"all lines are deeper in the file", "    if x:\n        y\n", " if x:\n     y\n+    z\n",
     "        z\n"},
    {"deeper than any line that is quoted", "    if x:\n        y\n",
     " if x:\n     y\n+        z\n", "            z\n"},
    {"a blank line", "    x\n", " x\n+  \n", "  \n"},
    {"tabs for blanks", "if x:\n\ty\n", " if x:\n     y\n+    z\n+        w\n+      v\n",
     "\tz\n\t\tw\n\t  v\n"},
    {"tabs for two blanks", "if x:\n\ty\n", " if x:\n   y\n+    z\n", "\t\tz\n"},
    {"tabs for blanks at two depths", "a {\n\tif x:\n\t\ty\n", " a {\n   if x:\n     y\n+      z\n",
     "\t\t\tz\n"},
    {"blanks for tabs", "if x:\n  y\n", " if x:\n \ty\n+\t\tz\n", "    z\n"},
    {"blanks for tabs, where no line says how many", "x:\n  y\n", " x:\n+\tz\n", "  z\n"},
    {"a tab where the file has a tab", "if x:\n\ty\n", " if x:\n \ty\n+\t\tz\n", "\t\tz\n"},
    {"less than what is quoted, all of which is too deep", "  b\n", "     b\n+  c\n", "c\n"},
    {"less than what is quoted, and than what is too much", "  b\n", "     b\n+ c\n", " c\n"},
    {"a first line without its indentation", "    a(\n        b)\n",
     " a(\n         b)\n+    c\n+d\n", "    c\n    d\n"},
    {"the nearest of lines of one depth", "  a\n    b\n      c\n", " a\n~x\n b\n+d\n c\n",
     "    d\n"},
    {"a context that lacks its column", "  a\n  b\n", "  a\n  b\n+  c\n", "  c\n"},
    {"a context that lacks its column, and a removed line that has it", "  a\n  b\n",
     "  a\n-  b\n+  c\n", "  c\n"},
    {"a removed line that lacks a column, too", "  a\n  b\n", "  a\n- b\n+ c\n", "  c\n"},
    {"a context that lacks its column, and added lines that do", "  a\n  b\n", "  a\n  b\n+ c\n",
     "  c\n"},
    {"four blanks a level for two", "a:\n  b:\n    c\n",
     " a:\n     b:\n         c\n+        d\n+            e\n", "    d\n      e\n"},
    {"two blanks a level for four", "a:\n    b:\n        c\n",
     " a:\n   b:\n     c\n+    d\n+      e\n", "        d\n            e\n"},
    {"two blanks a level for four, at one depth", "        z\n    a\n        b\n",
     "     z\n+    if a:\n+      b\n", "        if a:\n            b\n"},
    {"less than what is quoted, in another unit", "        z:\n            w\n",
     "     z:\n       w\n+  v\n", "    v\n"},
    {"depths that do not fit one another", "a:\n  b:\n      c\n", " a:\n   b:\n     c\n+      d\n",
     "      d\n"},
    {"most lines are moved by the same", "    a\n    b\n    c\n    d\n",
     "  a\n  b\n   c\n  d\n+ e\n", "    e\n"},
    {"removed lines count before kept ones", "  a\n    b\n", " a\n-b\n+c\n", "    c\n"},
    {"as many are moved by the one as by the other", "  a\n    b\n", " a\n b\n+c\n", "    c\n"},
    {"a quote without depth, and a new half with some", "if x:\n    a\n    if y:\n        b\n",
     " if x:\n a\n if y:\n b\n+if z:\n+    c\n", "if z:\n    c\n"},
    {"the same, deeper in the file", "  if x:\n      a\n", " if x:\n a\n+if z:\n+    c\n",
     "  if z:\n      c\n"},
    {"a quote and a new half without depth", "if x:\n    a\n", " if x:\n a\n+b\n", "    b\n"},
    {"one of two literals is moved",
     "    x = f(\"\"\"\nlit\n\"\"\")\n    y = g(\"\"\"\n          old\n          \"\"\")\n",
     " x = f(\"\"\"\n+new\n lit\n \"\"\")\n y = g(\"\"\"\n   old\n+  add\n   \"\"\")\n",
     "new\n          add\n"},
    {"a literal as deep as the code that is moved with it",
     "    x = f(\"\"\"\n    old\n    \"\"\")\n", " x = f(\"\"\"\n-old\n+new\n \"\"\")\n",
     "    new\n"},
    {"a literal that is not moved with the code", "  x = f(\"\"\"\n    lit\n    \"\"\")\n",
     " x = f(\"\"\"\n     lit\n+      new\n     \"\"\")\n", "      new\n"},
    {"added lines that are less deep than the quote", "      x\n      y\n",
     "   x\n   y\n+a\n+  b\n", "    a\n      b\n"},
    {"a quote without depth, and a blank line in the new half", "    if x:\n        a\n",
     "   if x:\n   a\n+  if z:\n+\n+      c\n", "    if z:\n\n        c\n"},
    {"a line as deep as the one above in tabs", "\t\ta\n\t\tb\n\t\tc\n", " a\n b\n \tc\n+\te\n",
     "\t\te\n"},
    {"depths of which no ratio is the same", "a:\n    b:\n      c\n",
     " a:\n   b:\n     c\n+      d\n", "        d\n"},
    {"depths of which no ratio is the same, the deepest first", "      c\n    b\na\n",
     "     c\n   b\n a\n+     d\n", "       d\n"},
    {"another unit, shown round a removed line", "        z\n        q\n    a\n        b\n",
     "     z\n+    if a:\n-    q\n+      b\n", "        if a:\n            b\n"},
    {"another unit, shown round a blank line", "        z\n    a\n        b\n",
     "     z\n+    if a:\n+\n+      b\n", "        if a:\n\n            b\n"},
    {"a deeper line that no block opens", "        z\n    a\n        b\n",
     "     z\n+    call(a,\n+      b)\n", "        call(a,\n          b)\n"},
    {"a block that is empty", "        z\n    a\n        b\n",
     "     z\n+    if a:\n+      b\n+    c:\n+    d\n",
     "        if a:\n            b\n        c:\n        d\n"},
    {"a depth that is none of the other unit", "      z\n    a\n        b\n",
     "     z\n+    if a:\n+      b\n", "      if a:\n        b\n"},
    {"a block at the margin", "z\n    a\n        b\n", " z\n+if a:\n+  b\n", "if a:\n  b\n"},
    {"a file without depth", "z\n", "   z\n+  if a:\n+    b\n", "if a:\n  b\n"},
    {"less than what is quoted, in the same unit", "      a\n          b\n",
     "     a\n         b\n+  c\n", "    c\n"},
    {"tabs for blanks that do not fit", "\ta\n\tb\n\t\t\tc\n", "   a\n   b\n      c\n+     d\n",
     "\t\t\td\n"},
    {"a quote without any depth", "    a\n    b\n        c\n", " a\n b\n c\n+d\n", "        d\n"},
    {"below the only deep line of a quote without any depth", "    a\n    b\n        c\n    z\n",
     " a\n b\n c\n+d\n z\n", "        d\n"},
    {"a removed line is moved by more than a kept one", "q\n    a\n      b\n",
     " q\n   a\n+   c\n-  b\n", "       c\n"},
    {"kept lines are moved by different", "q\n      a\n    b\n", " q\n   a\n+   c\n   b\n",
     "       c\n"},
    {"a tab where all that is quoted is blanks", "  a\n", "   a\n+\tc\n", "  c\n"},
    {"a context that lacks its column, and an added line that has less", "  a\n  b\n",
     "  a\n-  b\n+ c\n", " c\n"},
    {"a context that is less deep, and an added line that is deeper", "  a\n  b\n",
     "  a\n  b\n+   c\n", "    c\n"},
    {"blanks where nothing says how many are a tab", "\ta\n", " a\n+    b\n", "\t\tb\n"},
    {"a first line without its indentation, and a slip",
     "    f(\n          a,\n          b,\n         c)\n",
     " f(\n         a,\n         b,\n         c)\n+d\n", "    d\n"},
    {"behind a blank line", "    a\n\n    b\n", " a\n \n+c\n b\n", "    c\n"},
    {"below a literal at the margin", "  x = \"\"\"\nlit\n\"\"\"\n",
     " x = \"\"\"\n lit\n \"\"\"\n+y\n", "  y\n"},
    {"tabs for two blanks, and a line without any", "\tif x:\n\t\ty\nz\n",
     "   if x:\n     y\n z\n+      w\n", "\t\t\tw\n"},
    {"three blanks for a tab, where the file mostly has two", "if x:\n   y\nq:\n  z\nr:\n  w\n",
     " if x:\n \ty\n+\t\tv\n", "      v\n"},
    {"a second line that is deeper in the file", "  a\n    b\n", "   a\n+   c\n  b\n", "   c\n"},
    {"a literal whose first line is replaced", "    x = \"\"\"\n  lit\n\"\"\"\n    z\n",
     "-x = \"\"\"\n+y = \"\"\"\n+more\n   lit\n \"\"\"\n z\n", "    y = \"\"\"\nmore\n"},
    {"a new docstring", "    def f():\n        x\n",
     " def f():\n-    x\n+    \"\"\"One.\n+    two\n+    \"\"\"\n",
     "        \"\"\"One.\n        two\n        \"\"\"\n"},
    {"a new literal that is deeper than the code", "    a\n",
     " a\n+x = f(\"\"\"\n+    in\n+\n+    more\n+\"\"\")\n",
     "    x = f(\"\"\"\n        in\n\n        more\n    \"\"\")\n"},
    {"a new literal that is as deep as the code", "    a\n",
     " a\n+x = f(\"\"\"\n+in\n+    more\n+\"\"\")\n", "    x = f(\"\"\"\nin\n    more\n\"\"\")\n"},
    {"a literal at the margin stays", "  x = \"\"\"\nold\n\"\"\"\n  y\n",
     " x = \"\"\"\n-old\n+new\n \"\"\"\n y\n", "new\n"},
    {"a literal that is moved with the code", "    x = f(\"\"\"\n      old\n      \"\"\")\n    y\n",
     " x = f(\"\"\"\n-  old\n+  new\n   \"\"\")\n y\n", "      new\n"},
};

}  // namespace

TEST_CASE("an added line is as deep as the lines round it say") {
  for (const Row& row : kRows) {
    INFO(std::string(row.what));
    const MappedText file{Text(row.file)};
    Hunk hunk;
    Place place;
    size_t line = 0;
    for (size_t at = 0; at < row.hunk.size();) {
      const size_t end = row.hunk.find('\n', at);
      const char sign = row.hunk[at];
      const Kind kind = sign == '-' ? Kind::removed : sign == '+' ? Kind::added : Kind::context;
      hunk.lines.push_back({kind, row.hunk.substr(at + 1, end - at - 1)});
      if (sign != '+') place.line_of.push_back(sign == '~' ? kNoLine : line++);
      at = end + 1;
    }
    place.last = line;
    const Reindent reindented(file, hunk, place);
    std::string added;
    for (size_t i = 0; i < hunk.lines.size(); ++i)
      if (hunk.lines[i].kind == Kind::added) added += reindented(i, hunk.lines[i].text) + "\n";
    CHECK(added == row.added);
  }
}

TEST_CASE("a tab is foreign where neither the file nor the quote has shown one") {
  const auto introduces_tabs = [](const std::string& text, const std::string& quoted,
                                  const std::string& added) {
    const MappedText file{Text(text)};
    Hunk hunk;
    hunk.lines = {{Kind::context, quoted}, {Kind::added, added}};
    return Reindent::introduces_tabs(file, hunk, added);
  };
  CHECK(introduces_tabs("a:\n  b\n", "a:", "\tc"));
  CHECK(!introduces_tabs("a:\n  b\n", "a:", "  c"));
  CHECK(!introduces_tabs("a:\n  b\n", "  b", "\tc"));
  CHECK(introduces_tabs("a:\n  b\n", "  ", "\tc"));
  CHECK(!introduces_tabs("a:\n\tb\n", "a:", "\tc"));
  CHECK(!introduces_tabs("a:\nb\n", "a:", "\tc"));
  CHECK(!introduces_tabs("cat <<-E:\n  b\n", "cat <<-E", "\tc"));
}
