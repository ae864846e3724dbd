// What is said against a place, and where an addition goes.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "edits/align/anchors.h"

using namespace bodkin;

namespace {

int number(const std::optional<size_t>& n) { return n ? static_cast<int>(*n) : -1; }

// Line 1, 4 and 7 are equal, and 2, 5 and 8.
const std::string kFunctions = "def a():\n  x\n  y\ndef b():\n  x\n  y\ndef c():\n  x\n  y\n";

}  // namespace

TEST_CASE("a place outside of what the anchors name is contradicted") {
  const auto contradicts = [](const std::string& text, const std::vector<std::string>& anchors,
                              size_t first, size_t last) {
    const MappedText file{Text(text)};
    return anchors_contradict(file, {.anchors = anchors}, {first, last});
  };
  CHECK(!contradicts(kFunctions, {}, 4, 5));
  CHECK(!contradicts(kFunctions, {"def b()"}, 4, 5));
  CHECK(contradicts(kFunctions, {"def a()"}, 4, 5));
  CHECK(contradicts(kFunctions, {"def z()"}, 4, 5));
  CHECK(!contradicts(kFunctions, {"def b()"}, 3, 4));
  CHECK(contradicts(kFunctions, {"def b()"}, 2, 3));
  CHECK(!contradicts(kFunctions, {"def b()"}, 2, 4));
  // What begins behind it, and what has no words in between.
  CHECK(!contradicts(kFunctions, {"def a()"}, 3, 4));
  for (const char* gap : {"", "}", "// c", "/* c", "* c", "# c", "-- c", "@d", "#[d]"}) {
    INFO(std::string(gap));
    const std::string text = "def a():\n  x\n" + std::string(gap) + "\n\ndef b():\n  x\n";
    CHECK(!contradicts(text, {"def a()"}, 4, 5));
    CHECK(contradicts(text, {"def a()"}, 5, 6));
  }
  CHECK(contradicts("def a():\n  x\nc();\n\ndef b():\n  x\n", {"def a()"}, 4, 5));
  CHECK(contradicts("def a():\n  x\n[c]\ny\n", {"def a()"}, 3, 4));
  // Too many parts have the name to look into all.
  std::string parts;
  for (int i = 0; i < 64; ++i) parts += "b:\n  x\n";
  CHECK(!contradicts(parts, {"b:"}, 1, 2));
  CHECK(contradicts(parts + "b:\n  x\n", {"b:"}, 1, 2));
}

TEST_CASE("a heading and a number that name another section contradict a place") {
  const MappedText file{Text(kFunctions)};
  const auto contradicts = [&](const Evidence& said, size_t first) {
    return heading_contradicts(file, said, {first, first + 1});
  };
  CHECK(contradicts({.line = 4, .heading = "def b():"}, 1));
  CHECK(contradicts({.line = 3, .heading = "def b():"}, 1));
  CHECK(contradicts({.line = 5, .heading = "def b():"}, 7));
  CHECK(!contradicts({.line = 6, .heading = "def b():"}, 1));
  CHECK(!contradicts({.line = 2, .heading = "def b():"}, 1));
  CHECK(!contradicts({.line = 4, .heading = "def b():"}, 4));
  CHECK(!contradicts({.line = 4, .heading = "def b():"}, 3));
  CHECK(!contradicts({.line = 4, .heading = "def b():"}, 6));
  CHECK(contradicts({.line = 4, .heading = "def b():"}, 2));
  CHECK(!contradicts({.line = 4}, 1));
  CHECK(!contradicts({.heading = "def b():"}, 1));
  CHECK(!contradicts({.heading = "def a():"}, 7));
}

TEST_CASE("an addition without any old line goes where its number or the file's end says") {
  const auto line = [](const std::string& text, const Evidence& said) {
    return number(insertion_line(MappedText{Text(text)}, said));
  };
  CHECK(line(kFunctions, {}) == -1);
  CHECK(line("", {}) == 0);
  CHECK(line(kFunctions, {.at_end_of_file = true}) == 9);
  CHECK(line(kFunctions, {.line = 9}) == 9);
  CHECK(line(kFunctions, {.line = 2}) == 2);
  CHECK(line(kFunctions, {.line = 10}) == -1);
  CHECK(line(kFunctions, {.anchors = {"def b():"}}) == -1);
  CHECK(line(kFunctions, {.anchors = {"def b():"}, .at_end_of_file = true}) == -1);
}
