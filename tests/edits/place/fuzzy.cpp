// Where a kept line may differ: the file moved on, or it is a sibling.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "edits/place/rungs.h"

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
      {"ix = 1", "run(ix)", "run(of)", false},
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

namespace {

// Is the hunk, lines with ' ', '-' or '+' before them, placed in the file?
bool is_placed_in(const std::string& text, const std::string& signs) {
  Hunk hunk;
  for (size_t at = 0; at < signs.size();) {
    const size_t end = signs.find('\n', at);
    const Kind kind = signs[at] == '-'   ? Kind::removed
                      : signs[at] == '+' ? Kind::added
                                         : Kind::context;
    hunk.lines.push_back({kind, signs.substr(at + 1, end - at - 1)});
    at = end + 1;
  }
  const MappedText file{Text(text)};
  return !find_fuzzy({file, hunk, old_side(hunk)}).empty();
}

}  // namespace

TEST_CASE("a word of the head of what is changed names it, unless it is in a statement") {
  const std::string above = "count = 1\nfirst(1)\n", quoted = " count = 1\n first(1)\n";
  CHECK(!is_placed_in(above + "with_it(other) do\n  second(2)\n  old()\n",
                      quoted + " with_it(count) do\n   second(2)\n-  old()\n"));
  CHECK(is_placed_in(above + "with_it(other) do\nsecond(2)\nold()\n",
                     quoted + " with_it(count) do\n second(2)\n-old()\n"));
  CHECK(is_placed_in(above + "if other do\n  second(2)\n  old()\n",
                     quoted + " if count do\n   second(2)\n-  old()\n"));
  CHECK(is_placed_in(above + "with_it(other) do\n  second(2)\nend_it\n  old()\n",
                     quoted + " with_it(count) do\n   second(2)\n end_it\n-  old()\n"));
  CHECK(!is_placed_in(above + "with_it(other) do\n  second(2)\n}\n  old()\n",
                      quoted + " with_it(count) do\n   second(2)\n }\n-  old()\n"));
  // What is added hangs on the line above, blank lines aside.
  CHECK(!is_placed_in(above + "with_it(other) do\n  second(2)\n  third(3)\n",
                      quoted + " with_it(count) do\n   second(2)\n+  new()\n   third(3)\n"));
  CHECK(!is_placed_in(above + "with_it(other) do\n  second(2)\n\n  third(3)\n",
                      quoted + " with_it(count) do\n   second(2)\n \n+  new()\n   third(3)\n"));
  CHECK(is_placed_in("second(2)\n" + above + "third(3)\nwith_it(other)\n",
                     "+new()\n second(2)\n" + quoted + " third(3)\n with_it(count)\n"));
}

TEST_CASE("another name needs three equal lines with words") {
  CHECK(is_placed_in("count = 1\na()\nrun(other)\nold()\n",
                     " count = 1\n a()\n run(count)\n-old()\n"));
  CHECK(
      !is_placed_in("count = 1\n}\nrun(other)\nold()\n", " count = 1\n }\n run(count)\n-old()\n"));
}

TEST_CASE("a slip of the pen is one where nothing has the quoted word") {
  const std::string above = "first(1)\nsecond(2)\n", quoted = " first(1)\n second(2)\n";
  CHECK(is_placed_in(above + "run(number)\nold()\n", quoted + " run(nubmer)\n-old()\n"));
  CHECK(!is_placed_in(above + "run(number)\nold()\nnubmer()\n", quoted + " run(nubmer)\n-old()\n"));
  CHECK(is_placed_in(above + "number(3)\nrun(number) do\n  old()\n",
                     quoted + " number(3)\n run(nubmer) do\n-  old()\n"));
}

TEST_CASE("a word in a comment of many words is none that names") {
  const auto words = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += " w" + std::to_string(10 + i);
    return text;
  };
  const auto is_placed = [&](const std::string& sign, int count, const std::string& more = "") {
    const std::string above = "first(1)\nsecond(2)\nthird(3)\n",
                      quoted = " first(1)\n second(2)\n third(3)\n";
    return is_placed_in(above + sign + words(count) + more + " purple\nold()\n",
                        quoted + " " + sign + words(count) + more + " yellow\n-old()\n");
  };
  for (const char* sign : {"//", "#", "*", "--", ";;"}) {
    INFO(std::string(sign));
    CHECK(is_placed(sign, 25));
  }
  CHECK(!is_placed("//", 24));
  CHECK(!is_placed("//", 24, " ab cd ef"));
  CHECK(!is_placed("//", 24, " w10 w11"));
  CHECK(!is_placed("say", 30));
  const std::string two = "// one more comment of words\n";
  CHECK(is_placed_in(two + "a()\nb()\n//" + words(21) + " purple\nold()\n",
                     " " + two + " a()\n b()\n //" + words(21) + " yellow\n-old()\n"));
  CHECK(
      !is_placed_in("one more call of words\na()\nb()\n//" + words(21) + " purple\nold()\n",
                    " one more call of words\n a()\n b()\n //" + words(21) + " yellow\n-old()\n"));
}

TEST_CASE("a place must be the best by far") {
  // Half of the lines are equal, and less than half.
  CHECK(is_placed_in("a(x, y)\nb(x, y)\nc(x)\nold()\n", " a(x)\n b(x)\n c(x)\n-old()\n"));
  CHECK(!is_placed_in("a(x, y)\nb(x, y)\nold()\n", " a(x)\n b(x)\n-old()\n"));
  // Two lines are few, unless they differ in spelling only.
  CHECK(!is_placed_in("a(x, y)\nold()\n", " a(x)\n-old()\n"));
  CHECK(is_placed_in("say('a b')\nold()\n", " say(\"a b\")\n-old()\n"));
  CHECK(!is_placed_in("old()\n", " a(x)\n-old()\n"));
  CHECK(!is_placed_in("a(x, y)\n", "-a(x)\n"));
  // Two places that are equally like the quote, and one that is only a little less.
  const std::string quote = " a(x)\n b(x)\n c(x)\n-old()\n";
  CHECK(!is_placed_in("a(x, y)\nb(x)\nc(x)\nold()\nq()\na(x)\nb(x, y)\nc(x)\nold()\n", quote));
  CHECK(!is_placed_in("a(x, y)\nb(x)\nc(x)\nold()\nq()\na(x)\nb(x)\nc(x)\nnew_line(1)\n", quote));
  CHECK(is_placed_in("a(x, y)\nb(x)\nc(x)\nold()\nq()\nelse(1)\nb(x)\nc(x)\nnew_line(1)\n", quote));
}

TEST_CASE("a slip in a short name is one where the line heads nothing, or the name is used there") {
  const std::string above = "first(1)\nsecond(2)\n", quoted = " first(1)\n second(2)\n";
  CHECK(is_placed_in(above + "run(name)\nold()\n", quoted + " run(nmae)\n-old()\n"));
  CHECK(!is_placed_in(above + "run(name)\nold()\nnmae()\n", quoted + " run(nmae)\n-old()\n"));
  CHECK(!is_placed_in(above + "run(name) do\n  old()\n", quoted + " run(nmae) do\n-  old()\n"));
  CHECK(is_placed_in(above + "name(3)\nrun(name) do\n  old()\n",
                     quoted + " name(3)\n run(nmae) do\n-  old()\n"));
  CHECK(!is_placed_in(above + "run(name)\nold()\n", quoted + " run(anme)\n-old()\n"));
  CHECK(is_placed_in(above + "run(name)\nold()\nname()\n", quoted + " run(anme)\n-old()\n"));
  CHECK(!is_placed_in(above + "run(name) do\n  old()\nname()\n",
                      quoted + " run(anme) do\n-  old()\n"));
}

TEST_CASE("what is added at an end hangs on its only neighbour") {
  CHECK(!is_placed_in("first(1)\nsecond(2)\nthird(3)\nrun(other)\n",
                      "+new()\n first(1)\n second(2)\n third(3)\n run(count)\n"));
  CHECK(!is_placed_in(
      "count = 1\nfirst(1)\nwith_it(other) do\n  second(2)\nthird(3)\n",
      " count = 1\n first(1)\n with_it(count) do\n   second(2)\n+  new()\n third(3)\n"));
  CHECK(is_placed_in("a(x)\nb(x)\n}\nc(x)\nd(x, y)\n", " a(x)\n b(x)\n }\n+new()\n c(x)\n d(x)\n"));
  CHECK(!is_placed_in("say('a b')\n", " say(\"a b\")\n+new()\n"));
}

TEST_CASE("several of a kind are told apart by less than what differs") {
  const std::string quote = " a(x)\n b(x)\n c(x)\n-old()\n";
  CHECK(!is_placed_in("a(x, y)\nb(x)\nc(x)\nold()\nq()\na(z)\nb(z)\nc(z)\nold()\n", quote));
  CHECK(!is_placed_in("a(x, y)\nb(x)\nc(x)\nold()\nq()\na(-z)\nb(-z)\nc(-z)\nold()\n", quote));
  CHECK(is_placed_in("a(x, y)\nb(x)\nc(x)\nold()\nq()\na(z[w])\nb(z[w])\nc(z[w])\nold()\n", quote));
  CHECK(is_placed_in("a(x, y)\nelse\nc(x)\nold()\nq()\na(z)\nthen\nc(z)\nold()\n",
                     " a(x)\n else\n c(x)\n-old()\n"));
  // A line that is another one is not forgiven for a later one that moved on.
  CHECK(!is_placed_in("other(1, 2)\nb(x, y)\nc(x)\nd(x)\nold()\n",
                      " zap\n b(x)\n c(x)\n d(x)\n-old()\n"));
  const std::string two = "q()\na(x)\nb(x)\nc(x)\nelse_what(1, 2, 3, 4)\nzzz(1, 2, 3, 4)\n";
  CHECK(!is_placed_in("a(x, y)\nb(x, y)\nc(x)\nd(x)\nold()\n" + two,
                      " a(x)\n b(x)\n c(x)\n d(x)\n-old()\n"));
  const auto ten = [](int equal) {  // of ten lines of another place
    std::string text = "first(x, y)\n", signs = " first(x)\n", other = "q()\nfirst(x)\n";
    for (int i = 1; i < 9; ++i) {
      const std::string line = "l" + std::to_string(i) + "(x)\n";
      text += line;
      signs += " " + line;
      other += i < equal ? line : "else_" + std::to_string(i) + "(1, 2, 3, 4)\n";
    }
    return is_placed_in(text + "old()\n" + other + "zzz(1, 2, 3)\n", signs + "-old()\n");
  };
  CHECK(ten(7));
  CHECK(!ten(8));
}

TEST_CASE("long lines say nothing of names, and code no prose") {
  const auto with = [](size_t size) {
    std::string bound = "count = 1 ";
    bound.resize(size, 'x');
    return is_placed_in("first(1)\n" + bound + "\nrun(other)\nold()\n",
                        " first(1)\n " + bound + "\n run(count)\n-old()\n");
  };
  CHECK(with(1000));
  CHECK(!with(1001));
  std::string words = "//";
  for (int i = 10; i < 40; ++i) words += " w" + std::to_string(i);
  CHECK(!is_placed_in(words + "\na()\nb()\nrun(purple)\nold()\n",
                      " " + words + "\n a()\n b()\n run(yellow)\n-old()\n"));
}

TEST_CASE("a word in the place of several is none that moved on") {
  CHECK(!is_placed_in("def load():\n  first(1)\n  run(alpha.beta)\n  second(2)\n  old()\n",
                      " def load():\n   first(1)\n   run(gamma)\n   second(2)\n-  old()\n"));
  CHECK(is_placed_in("def load():\n  first(1)\n  run(alpha)\n  second(2)\n  old()\n",
                     " def load():\n   first(1)\n   run(gamma)\n   second(2)\n-  old()\n"));
}
