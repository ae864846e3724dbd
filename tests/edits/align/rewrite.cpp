// What a placed hunk writes: new lines go through the maps that the quoted ones teach.
#include "edits/align/rewrite.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/align/weigh.h"
#include "edits/place/write.h"

using namespace bodkin;

namespace {

using Kind = HunkLine::Kind;

struct Example {
  const char* what;
  std::string file;
  std::string hunk;   // lines with ' ', '-' or '+' before them
  std::string after;  // empty: refused
};

const Example kExamples[] = {
    {"an exact place is written as it is", "a\n  b\n", " a\n-  b\n+c\n", "a\nc\n"},
    {"all lines are deeper in the file", "    if x:\n        y\n",
     " if x:\n-    y\n+    z\n+        w\n", "    if x:\n        z\n            w\n"},
    {"tabs for blanks", "if x:\n\ty\n\tv\n", " if x:\n-    y\n     v\n+    z\n+        w\n",
     "if x:\n\tv\n\tz\n\t\tw\n"},
    {"two blanks a level for four", "a:\n    b:\n        c\n",
     " a:\n   b:\n-    c\n+    d\n+      e\n", "a:\n    b:\n        d\n            e\n"},
    {"a first line without its indentation", "f:\n    a()\n    b()\n    c()\n",
     "-a()\n     b()\n     c()\n+    d()\n", "f:\n    b()\n    c()\n    d()\n"},
    {"new lines that stand as deep as the file, where the quote does not", "f:\n    a()\n    b()\n",
     "-a()\n-b()\n+    c()\n+    d()\n", "f:\n    c()\n    d()\n"},
    {"some like the quote and some like the file", "f:\n    a()\n    x()\n    b()\n",
     "-a()\n-x()\n+    c()\n+d()\n-b()\n", ""},
    {"a depth that no quoted line has", "f:\n      a()\n      b()\n", "   a()\n-  b()\n+c()\n",
     "f:\n      a()\n    c()\n"},
    {"curly quotes", "say(\"a\")\nend\n", "-say(“a”)\n+say(“b”)\n end\n", "say(\"b\")\nend\n"},
    {"a word that the file writes with its own sign", "s = 'x'\nt = it’s\n",
     "-s = ‘x’\n+s = ‘y’ + it’s\n t = it’s\n", "s = 'y' + it’s\nt = it’s\n"},
    {"an unquoted line between removed ones", "a();\n// why\nb();\nc();\n", "-a();\n-b();\n c();\n",
     ""},
    {"a blank line between removed ones", "a();\n\nb();\nc();\n", "-a();\n-b();\n c();\n",
     "c();\n"},
    {"lines are added beside a comment that is not quoted", "a();\n// why\nb();\nc();\n",
     " a();\n+x();\n b();\n c();\n", ""},
    {"an elision stays at its depth", "def f():\n    a()\n    b()\n    return 1\n",
     " def f():\n-    # ...\n+    if x:\n+        # ...\n     return 1\n", ""},
};

}  // namespace

TEST_CASE("new lines go through maps that the aligned lines teach") {
  for (const Example& row : kExamples) {
    INFO(std::string(row.what));
    const Text text(row.file);
    const MappedText file(text);
    Hunk hunk;
    for (size_t at = 0; at < row.hunk.size();) {
      const size_t end = row.hunk.find('\n', at);
      const Kind kind = row.hunk[at] == '-'   ? Kind::removed
                        : row.hunk[at] == '+' ? Kind::added
                                              : Kind::context;
      hunk.lines.push_back({kind, row.hunk.substr(at + 1, end - at - 1)});
      at = end + 1;
    }
    const auto places = within_margin(priced_places(file, hunk, std::nullopt).all);
    if (places.size() != 1) {
      CHECK(row.after == "");
      continue;
    }
    const FailureOr<Place> place = rewritten(file, places[0], false);
    CHECK((place ? with_edits(text, edits_at(file, hunk, *place)).str() : "") == row.after);
  }
}
