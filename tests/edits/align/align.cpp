// Where a hunk stands, and at what price.
#include "edits/align/align.h"

#include <doctest/doctest.h>

#include <string>

#include "edits/align/weigh.h"

using namespace bodkin;

namespace {

using Kind = HunkLine::Kind;

// Lines that begin with ' ', '-' or '+'.
Hunk hunk_of(const std::string& signs) {
  Hunk hunk;
  for (size_t at = 0; at < signs.size();) {
    const size_t end = signs.find('\n', at);
    const Kind kind = signs[at] == '-'   ? Kind::removed
                      : signs[at] == '+' ? Kind::added
                                         : Kind::context;
    hunk.lines.push_back({kind, signs.substr(at + 1, end - at - 1)});
    at = end + 1;
  }
  return hunk;
}

// The places within the margin: "LINE:PRICE", cheapest first.
std::string places(const std::string& file, const Hunk& hunk,
                   const std::optional<LineRange>& selection = std::nullopt) {
  const MappedText map{Text(file)};
  std::string out;
  for (const Alignment& place : within_margin(priced_places(map, hunk, selection).all))
    out +=
        (out.empty() ? "" : " ") + std::to_string(place.first) + ":" + std::to_string(place.price);
  return out;
}
std::string places(const std::string& file, const std::string& signs) {
  return places(file, hunk_of(signs));
}

}  // namespace

TEST_CASE("the example of the aligner's essay") {
  const std::string file =
      "import os\n\ndef load(path):\n    open(path)\n    log(path, 1)\n\n    a()\n    b()\n"
      "    return path\n";
  CHECK(places(file,
               " def load(path):\n     open(path)\n     log(path, 1)\n     ...\n"
               "-    return path\n+    return 1\n") == "2:0");
  CHECK(places(file,
               " def load(path):\n     open(path)\n     log(name, 1)\n     ...\n"
               "-    return path\n+    return 1\n") == "2:400");
}

TEST_CASE("each thing that differs has its price") {
  const std::string file = "one();\n  two();\n  three();\nfour();\n";
  CHECK(places(file, " one();\n-  two();\n") == "0:0");
  CHECK(places(file, "   one();\n-    two();\n") == "0:300");
  CHECK(places(file, " one( );\n-  two();\n") == "0:100");
  CHECK(places(file, " one();\n \n-  two();\n") == "0:50");
  CHECK(places("one();\n\n  two();\n", " one();\n-  two();\n") == "0:50");
  CHECK(places("one();\n// why\n  two();\n", " one();\n-  two();\n") == "0:200");
}

TEST_CASE("a removed line is equal, and so are the first line and the last") {
  const std::string file = "alpha();\nbravo();\ncharlie();\ndelta();\n";
  CHECK(places(file, " alpha();\n-bravo(1);\n charlie();\n") == "");
  CHECK(places(file, " alfa();\n bravo();\n-charlie();\n") == "");
}

TEST_CASE("lines that agree and stand once pay for one that differs") {
  const std::string lines = "a1();\na2();\na3();\na4();\nopen(pump);\nb1();\n";
  CHECK(places(lines, " a1();\n a2();\n a3();\n a4();\n open(valve);\n-b1();\n") == "0:400");
  CHECK(places(lines, " a3();\n a4();\n open(valve);\n-b1();\n") == "");
}

TEST_CASE("what heads a block is known by its words") {
  const std::string file = "def load(a):\n    one()\n    two()\n    three()\n    four()\n";
  CHECK(places("x = 1\n" + file,
               " x = 1\n def store(a):\n     one()\n     two()\n     three()\n"
               "-    four()\n") == "");
}

TEST_CASE("several places are told apart by a number, a selection, an anchor") {
  const std::string file = "def f():\n  x()\n\ndef g():\n  x()\n";
  Hunk hunk = hunk_of("-  x()\n+  y()\n");
  CHECK(places(file, hunk) == "1:0 4:0");
  hunk.evidence.line = 4;
  CHECK(places(file, hunk) == "4:0");
  hunk.evidence.line.reset();
  CHECK(places(file, hunk, LineRange{0, 3}) == "1:0");
  hunk.evidence.anchors = {"def g():"};
  CHECK(places(file, hunk) == "4:0");
}

TEST_CASE("no evidence alone beats a place that has the quote line for line") {
  const std::string file = "def f():\n  x()\n\nclass A:\n  def f():\n    x()\n";
  Hunk hunk = hunk_of(" def f():\n-  x()\n");
  CHECK(places(file, hunk) == "0:0");
  hunk.evidence.line = 4;
  CHECK(places(file, hunk) == "4:300 0:300");
}

TEST_CASE("an elision ends in the block in which it begins") {
  const std::string file = "class A {\n  f() {\n    x();\n  }\n}\n";
  const Hunk hunk = hunk_of(" class A {\n   ...\n-}\n+};\n");
  const MappedText map{Text(file)};
  const auto found = priced_places(map, hunk, std::nullopt);
  REQUIRE(found.all.size() == 1);
  CHECK(found.all[0].lines[2] == 4);
}

TEST_CASE("too many places are none") {
  std::string file;
  for (int i = 0; i < 2000; ++i) file += "same();\n";
  const MappedText map{Text(file)};
  const auto found = priced_places(map, hunk_of(" same();\n-same();\n"), std::nullopt);
  CHECK(found.gave_up);
  CHECK(found.all.empty());
  Hunk hunk = hunk_of(" same();\n-same();\n");
  hunk.evidence.line = 7;
  CHECK(places(file, hunk) == "7:0");
}
