// Is the change made already? What proves it, and what only may be.
#include "edits/place/already_applied.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

struct Row {
  const char* what;
  std::string file;
  std::string hunk;  // lines with ' ', '-' or '+' before them
  NewText answer;
  std::optional<size_t> line = {};  // from 0
  bool at_end = false, within_lines = false, all_places = false;
};

constexpr NewText absent = NewText::absent, there = NewText::there,
                  perhaps = NewText::possibly_present;

const Row kRows[] = {
    {"below a bracket, which is no name", "{\n  \"a\": 1,\n  \"b\": 2\n}\n",
     " {\n-  \"x\": 0,\n+  \"a\": 1,\n", perhaps},
    {"below a key that is there twice", "a:\n  x: 1\nb:\n  y: 2\na:\n  z: 3\n",
     " a:\n-  q: 0\n+  x: 1\n", perhaps},
    {"below a key that is there once", "a:\n  x: 1\nb:\n  y: 2\n", " a:\n-  q: 0\n+  x: 1\n",
     there},
    {"whole lines of a string replacement",
     "class A:\n  x = 1\n",
     " class A:\n-  x = 0\n+  x = 1\n \n",
     there,
     {},
     false,
     true},
    {"a string replacement that begins within a line",
     "pre class A:\n  x = 1\nend\n",
     " class A:\n-  x = 0\n+  x = 1\n \n",
     perhaps,
     {},
     false,
     true},
    {"the old line still stands above", "old_one(1);\nnew_one(1);\nnew_two(2);\nend();\n",
     "-gone(0);\n-old_one(1);\n+new_one(1);\n+new_two(2);\n end();\n", perhaps, 1},
    {"another line stands above", "other(1);\nnew_one(1);\nnew_two(2);\nend();\n",
     "-gone(0);\n-old_one(1);\n+new_one(1);\n+new_two(2);\n end();\n", there, 1},
    {"the old line still stands below", "start();\nnew_one(1);\nold_one(1);\nend();\n",
     " start();\n+new_one(1);\n-old_one(1);\n-gone(0);\n", perhaps, 0},
    {"another line stands below", "start();\nnew_one(1);\nother(1);\nend();\n",
     " start();\n+new_one(1);\n-old_one(1);\n-gone(0);\n", there, 0},
    {"nothing stands below", "start();\nnew_one(1);\n",
     " start();\n+new_one(1);\n-old_one(1);\n-gone(0);\n", there, 0},
    {"a blank line was removed below", "start();\nnew_one(1);\n\nend();\n",
     " start();\n+new_one(1);\n-old_one(1);\n-\n", there, 0},
    {"the number alone", "x\nnew_one(1);\n", "-old_one(1);\n+new_one(1);\n", perhaps, 1},
    {"the number and a bracket", "}\nnew_one(1);\n", " }\n-old_one(1);\n+new_one(1);\n", perhaps,
     0},
    {"the number and a line", "x();\nnew_one(1);\n", " x();\n-old_one(1);\n+new_one(1);\n", there,
     0},
    {"another number", "x();\nnew_one(1);\n", " x();\n-old_one(1);\n+new_one(1);\n", perhaps, 1},
    {"at the end of the file", "x\nnew_end(1);\n", "-old_end(1);\n+new_end(1);\n", there, {}, true},
    {"not at the end of the file",
     "new_end(1);\nx\n",
     "-old_end(1);\n+new_end(1);\n",
     perhaps,
     {},
     true},
    {"an addition of eight characters", "begin();\n12345678\nend();\n", " begin();\n+12345678\n",
     there},
    {"an addition of seven characters", "begin();\n1234567\nend();\n", " begin();\n+1234567\n",
     absent},
    {"a short addition at its number", "a\nb\n", " a\n+b\n", absent, 0},
    {"a change of all places", "x + y;\n", "-x\n+x + y\n", absent, {}, false, true, true},
    {"a change of one place", "x + y;\n", "-x\n+x + y\n", perhaps, {}, false, true},
    {"one line at its number, the old one elsewhere", "a = 2\nb()\na = 1\n", "-a = 1\n+a = 2\n",
     perhaps, 0},
    {"two lines at their number, the old ones elsewhere", "a = 2\nb()\na = 1\nb()\n",
     "-a = 1\n+a = 2\n b()\n", there, 0},
    {"two lines, the old ones at their number", "a = 2\nb()\na = 1\nb()\n",
     "-a = 1\n+a = 2\n b()\n", absent, 2},
    {"a number where neither stands", "a = 1\nq\na = 2\n", "-a = 1\n+a = 2\n", absent, 1},
    {"escaped, and elsewhere without", "y < 1;\nz\ny < 2222222;\n",
     "-y &lt; 1;\n+y &lt; 2222222;\n", perhaps},
    {"an old line with other quotes", "say(“one”);\nx\nsay(\"two\");\n",
     "-say(\"one\");\n+say(\"two\");\n", absent},
    {"ten bytes elsewhere, the old ones elsewhere indented", "x\n    abcd = 11;\ny\nabcd = 12;\n",
     "-  abcd = 11;\n+abcd = 12;\n", perhaps},
    {"nine bytes elsewhere, the old ones elsewhere indented", "x\n    abc = 11;\ny\nabc = 12;\n",
     "-  abc = 11;\n+abc = 12;\n", absent},
    {"only what is kept", "x\nkeep_it(2);\n", "-gone(1);\n keep_it(2);\n", absent},
    {"one long line elsewhere, both indented otherwise",
     "    a_long_name_of(one);\nx\n  a_long_name_of(two);\n",
     "-a_long_name_of(one);\n+a_long_name_of(two);\n", absent},
    {"two lines of twenty bytes elsewhere, both indented otherwise",
     "    abcd = 11;\n    abcd = 13;\nx\n  abcd = 12;\n  abcd = 13;\n",
     "-abcd = 11;\n+abcd = 12;\n abcd = 13;\n", perhaps},
    {"two lines of nineteen bytes elsewhere, both indented otherwise",
     "    abc = 11;\n    abcd = 13;\nx\n  abc = 12;\n  abcd = 13;\n",
     "-abc = 11;\n+abc = 12;\n abcd = 13;\n", absent},
    {"a deletion whose rest stands within the old lines",
     "  aaaaaaaaaaaa();\n  bbbbbbbbbbbb();\n  aaaaaaaaaaaa();\n  bbbbbbbbbbbb();\n",
     " aaaaaaaaaaaa();\n-bbbbbbbbbbbb();\n-aaaaaaaaaaaa();\n bbbbbbbbbbbb();\n", absent},
    {"lines of a string replacement that are indented otherwise",
     "x\n    new_one(1);\ny\n",
     " \n-old_one(1);\n+new_one(1);\n \n",
     absent,
     {},
     false,
     true},
    {"lines of a string replacement with blanks behind them",
     "x\nnew_one(1);  \ny\n",
     " \n-old_one(1);\n+new_one(1);\n \n",
     perhaps,
     {},
     false,
     true},
    {"a line and a blank one, which say little", "  a = 1;\n\nb = 1;\na = 2;\n\n",
     "-a = 1;\n+a = 2;\n \n", absent},
    {"the first of the old lines is all that stays", "f() {\n    one_one(1);\n    two_two(2);\n}\n",
     "-one_one(1);\n-two_two(2);\n+    one_one(1);\n", absent},
    {"the last of the old lines is all that stays", "f() {\n    one_one(1);\n    two_two(2);\n}\n",
     "-one_one(1);\n-two_two(2);\n+    two_two(2);\n", absent},
    {"new text round an elision, in two places",
     "start_a();\nx();\nold_one(1);\nend();\nnew_one(1);\nend();\nz();\nnew_one(1);\nend();\n",
     " start_a();\n ...\n-old_one(1);\n+new_one(1);\n end();\n", perhaps},
};

Hunk hunk_of(const Row& row) {
  Hunk hunk;
  for (size_t at = 0; at < row.hunk.size();) {
    const size_t end = row.hunk.find('\n', at);
    const char sign = row.hunk[at];
    hunk.lines.push_back({sign == '-'   ? Kind::removed
                          : sign == '+' ? Kind::added
                                        : Kind::context,
                          row.hunk.substr(at + 1, end - at - 1)});
    at = end + 1;
  }
  hunk.line_hint = row.line;
  hunk.at_end_of_file = row.at_end;
  hunk.within_lines = row.within_lines;
  hunk.all_places = row.all_places;
  return hunk;
}

}  // namespace

TEST_CASE("that a change is made already must be proved") {
  for (const Row& row : kRows) {
    INFO(std::string(row.what));
    const MappedText file{Text(row.file)};
    const Hunk hunk = hunk_of(row);
    CHECK(static_cast<int>(find_new_text(file, hunk, find_places(file, hunk))) ==
          static_cast<int>(row.answer));
  }
}
