// Where a kept line may differ: the file moved on, or it is a sibling.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "edits/rungs.h"

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

// Is the quote, of which the last line is replaced, placed in the file?
bool placed(const std::vector<std::string>& file, const std::vector<std::string>& quote,
            const std::vector<std::string>& elsewhere = {}) {
  std::string text;
  for (const std::string& line : file) text += line + "\n";
  text += "old();\nbehind();\n";
  for (const std::string& line : elsewhere) text += line + "\n";
  Hunk hunk;
  for (const std::string& line : quote) hunk.lines.push_back({Kind::context, line});
  hunk.lines.push_back({Kind::removed, "old();"});
  hunk.lines.push_back({Kind::added, "made();"});
  hunk.lines.push_back({Kind::context, "behind();"});
  const MappedText mapped{Text(text)};
  return !find_fuzzy({mapped, hunk, old_side(hunk)}).empty();
}

struct Row {
  std::string bound, quoted, ours;
  bool is_placed;
};

}  // namespace

TEST_CASE("another name is a sibling's, unless the quote uses it as a name of its surroundings") {
  const Row rows[] = {
      {"count = 1", "run(count)", "run(other)", true},
      {"count := 1", "run(count)", "run(other)", true},
      {"count == 1", "run(count)", "run(other)", false},
      {"count : 1", "run(count)", "run(other)", false},
      {"count(1)", "run(count)", "run(other)", false},
      {"run(count)", "count = 1", "other = 1", true},
      {"for count in all", "run(count)", "run(other)", true},
      {"for a in count", "run(count)", "run(other)", false},
      {"for count of all", "run(count)", "run(other)", false},
      {"set count in all", "run(count)", "run(other)", false},
      {"in all for count", "run(count)", "run(other)", false},
      {"local count", "run(count)", "run(other)", true},
      {"let count", "run(count)", "run(other)", true},
      {"global count", "run(count)", "run(other)", false},
      {"int count;", "run(count)", "run(other)", true},
      {"int count[3]", "run(count)", "run(other)", true},
      {"class count {", "run(count)", "run(other)", true},
      {"int count,", "run(count)", "run(other)", false},
      {"return count;", "run(count)", "run(other)", false},
      {"(count;", "run(count)", "run(other)", false},
      {"count;", "run(count)", "run(other)", false},
      {"int* count;", "run(count)", "run(other)", true},
      {"int& count;", "run(count)", "run(other)", true},
      {"v<int> count;", "run(count)", "run(other)", true},
      {"echo $count", "run($count)", "run($other)", true},
      {"echo ${count}", "run($count)", "run($other)", true},
      {"echo \"a $count\"", "run($count)", "run($other)", true},
      {"echo {count}", "run($count)", "run($other)", false},
      {"echo $(count)", "run($count)", "run($other)", false},
      {"a.count = 1", "run(count)", "run(other)", false},
      {"count.a()", "run(count.b)", "run(other.b)", true},
      {"count::a()", "run(count::b)", "run(other::b)", true},
      {"count.a()", "run(count)", "run(other)", false},
      {"count = 1", "run(count.b)", "run(other.b)", true},
      {"count.", "run(count.b)", "run(other.b)", false},
      {"a ? count : b", "run(count.b)", "run(other.b)", false},
      {"say(\"count = 1\")", "run(count)", "run(other)", false},
      {"say(1) // count = 1", "run(count)", "run(other)", false},
      {"no = 1", "run(no)", "run(of)", false},
      {"num = 1", "run(num)", "run(all)", true},
  };
  for (const Row& row : rows) {
    INFO(std::string(row.bound + ", " + row.quoted));
    CHECK(placed({"first(1)", row.bound, "second(2)", row.ours},
                 {"first(1)", row.bound, "second(2)", row.quoted}) == row.is_placed);
  }
  const std::vector<std::string> ours = {"first(1)", "count = 1", "second(2)", "run(other)"},
                                 quoted = {"first(1)", "count = 1", "second(2)", "run(count)"};
  CHECK(!placed(ours, quoted, {"walk(other)"}));
  CHECK(placed(ours, quoted, {"walk(count)"}));
  CHECK(placed({"first(1)", "count = 1", "run(other)"}, {"first(1)", "count = 1", "run(count)"}));
}

TEST_CASE("a parameter more makes another function where names are overloaded") {
  const auto is_placed = [](const std::string& quoted, const std::string& ours) {
    return placed({"first(1)", "second(2)", ours, "third(3)"},
                  {"first(1)", "second(2)", quoted, "third(3)"});
  };
  CHECK(!is_placed("void run(int a) {", "void run(int a, int b) {"));
  CHECK(!is_placed("void run(int a)", "void run(int a, int b)"));
  CHECK(!is_placed("run(a) {", "run(a, b) {"));
  CHECK(is_placed("run(a)", "run(a, b)"));
  CHECK(is_placed("void run(a);", "void run(a, b);"));
  CHECK(is_placed("int x = run(a)", "int x = run(a, b)"));
  CHECK(is_placed("return run(a)", "return run(a, b)"));
  CHECK(is_placed("def run(a):", "def run(a, b):"));
  CHECK(is_placed("function run(a) {", "function run(a, b) {"));
  CHECK(is_placed("if (a) {", "if (a, b) {"));
  CHECK(is_placed("void run(int a) {", "static void run(int a) {"));
}

TEST_CASE("no other lines may be nearly as much like the quote") {
  const std::vector<std::string> ours = {"first(1)", "second(2)", "third(c, d)", "fourth(4)"},
                                 quoted = {"first(1)", "second(2)", "third(c)", "fourth(4)"};
  CHECK(placed(ours, quoted));
  CHECK(!placed(ours, quoted,
                {"first(1)", "second(2)", "third(c, e)", "fourth(4)", "old();", "behind();"}));
  CHECK(!placed(ours, quoted,
                {"first(1)", "second(2)", "else()", "fourth(4)", "old();", "behind();"}));
  CHECK(placed(ours, quoted, {"first(1)", "second(2)", "x(3)", "y(4)", "z();"}));
}

TEST_CASE("at most two kept lines may differ, and what is removed is equal") {
  CHECK(placed({"a(x, y)", "b(x, y)", "c(x)", "d(x)"}, {"a(x)", "b(x)", "c(x)", "d(x)"}));
  CHECK(!placed({"a(x, y)", "b(x, y)", "c(x, y)", "d(x)", "e(1)", "f(1)"},
                {"a(x)", "b(x)", "c(x)", "d(x)", "e(1)", "f(1)"}));
  CHECK(!placed({"a(x, y)"}, {"", "a(x)"}));
  Hunk hunk;
  hunk.lines = {{Kind::context, "a(x)"},
                {Kind::removed, "b(x)"},
                {Kind::context, "c(x)"},
                {Kind::context, "d(x)"}};
  const MappedText removed{Text(std::string("a(x)\nb(x, y)\nc(x)\nd(x)\n"))};
  CHECK(find_fuzzy({removed, hunk, old_side(hunk)}).empty());
  const MappedText kept{Text(std::string("a(x)\nb(x)\nc(x)\nd(x, y)\n"))};
  CHECK(find_fuzzy({kept, hunk, old_side(hunk)}).size() == 1);
}

TEST_CASE("an addition hangs on lines that are equal") {
  const auto is_placed = [](const std::string& text) {
    Hunk hunk;
    hunk.lines = {{Kind::context, "a(x)"},
                  {Kind::context, "b(x)"},
                  {Kind::added, "new()"},
                  {Kind::context, "c(x)"},
                  {Kind::context, "d(x)"}};
    const MappedText file{Text(text)};
    return !find_fuzzy({file, hunk, old_side(hunk)}).empty();
  };
  CHECK(is_placed("a(x, y)\nb(x)\nc(x)\nd(x)\n"));
  CHECK(is_placed("a(x)\nb(x)\nc(x)\nd(x, y)\n"));
  CHECK(!is_placed("a(x)\nb(x, y)\nc(x)\nd(x)\n"));
  CHECK(!is_placed("a(x)\nb(x)\nc(x, y)\nd(x)\n"));
}
