// Where the old text of a string replacement stands, which cuts nothing in two.
#include "edits/place/parts_of_lines.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

// Each place as the text around it: "a[b]c", where the place is "b"; whole lines as "=FIRST-END".
std::string places_in(const std::string& text, const std::string& old,
                      const std::string& added = "Z", bool all = false) {
  Hunk hunk;
  hunk.format = StringReplacement{};
  hunk.places = all ? 0 : 1;
  std::vector<std::string> halves[2];
  for (const std::string* half : {&old, &added}) {
    size_t at = 0;
    for (size_t end; (end = half->find('\n', at)) != half->npos; at = end + 1)
      halves[half == &added].push_back(half->substr(at, end - at));
    halves[half == &added].push_back(half->substr(at));
  }
  for (const std::string& line : halves[0]) hunk.lines.push_back({Kind::removed, line});
  for (const std::string& line : halves[1]) hunk.lines.push_back({Kind::added, line});
  if (old.ends_with('\n') && added.ends_with('\n')) {
    hunk.lines.pop_back();
    hunk.lines.erase(hunk.lines.begin() + static_cast<long>(halves[0].size()) - 1);
    hunk.lines.push_back({Kind::context, ""});
  }
  const MappedText file{Text(text)};
  std::string out;
  for (const Place& place : find_in_bytes(file, hunk)) {
    if (!out.empty()) out += " ";
    if (place.within_lines)
      out += text.substr(0, place.offset) + "[" + text.substr(place.offset, place.length) + "]" +
             text.substr(place.offset + place.length);
    else
      out += "=" + std::to_string(place.first) + "-" + std::to_string(place.last);
  }
  return out;
}

}  // namespace

TEST_CASE("a part of a line cuts no word, number, operator or name in two") {
  struct Row {
    std::string text, old;
    bool is_found;
  };
  const Row rows[] = {
      {"(ab)", "ab", true},
      {"(abc)", "ab", false},
      {"(cab)", "ab", false},
      {"(ab_)", "ab", false},
      {"(ab1)", "ab", false},
      {"(éab)", "ab", false},
      {"(abé)", "ab", false},
      {"(中ab)", "ab", true},
      {"(ab中)", "ab", true},
      {"(“ab”)", "ab", true},
      {"(ab-c)", "ab", false},
      {"(c-ab)", "ab", false},
      {"(ab - c)", "ab", true},
      {"(-ab)", "ab", true},
      {"(ab-)", "ab", true},
      {"(1.2)", "1", false},
      {"(1.2)", "2", false},
      {"(1.9)", "1", false},
      {"(अab)", "ab", true},
      {"(1.a)", "1", true},
      {"(a.2)", "a", true},
      {"(1:2)", "1", false},
      {"(1/2)", "2", false},
      {"(1,2)", "1", true},
      {"x == y", "x =", false},
      {"x = y", "x =", true},
      {"x == y", "= y", false},
      {"a->b", "a-", false},
      {"ab", "ab", true},
      {"f.port = 1;", "port = 1", false},
      {"f::port = 1;", "port = 1", false},
      {"f->port = 1;", "port = 1", false},
      {"f?.port = 1;", "port = 1", false},
      {"a.f.port = 1;", "port = 1", false},
      {"f.port: 1;", "port: 1", false},
      {"f.port;", "port", true},
      {"x(f.port = 1);", "port = 1", true},
      {".port = 1;", "port = 1", true},
      {"f.[port] = 1;", "[port] = 1", true},
      {"import os.path", "import os", false},
      {"import os::path", "import os", false},
      {"import os.", "import os", true},
      {"importos.path", "importos", true},
      {"x(a .b)", "x(a ", true},
  };
  for (const Row& row : rows) {
    INFO(std::string(row.text + ", " + row.old));
    CHECK((places_in("q\n " + row.text + "\nr\n", row.old) != "") == row.is_found);
  }
  // A word alone, whole in one place: all places are asked for.
  CHECK(places_in("ab abc", "ab") == "[ab] abc ab [ab]c");
  CHECK(places_in("(abc)", "ab", "Z", true) == "([ab]c)");
}

TEST_CASE("all places count, whole lines are such") {
  CHECK(places_in("a(1);\nb(1);\n", "(1)") == "a[(1)];\nb(1);\n a(1);\nb[(1)];\n");
  CHECK(places_in("(((\n", "((") == "[((](\n ([((]\n");
  CHECK(places_in("(((\n", "((", "Z", true) == "[((](\n");
  CHECK(places_in("a();\nb();\n", "b();") == "=1-2");
  CHECK(places_in("a();\nb();\n", "a();\nb();") == "=0-2");
  CHECK(places_in("a();\nb();\nc();\n", "a();\nb();\nc();") == "=0-3");
  CHECK(places_in("a();\nb();\n", "a();\n", "z();\n") == "=0-1");
  CHECK(places_in("a();\nb();\n", "a();\n", "z();") == "[a();\n]b();\n");
  CHECK(places_in(" a();\nb();\n", "a();\n", "z();\n") == " [a();\n]b();\n");
  CHECK(places_in("a();\nb();", "b();\n", "z();\n") == "");
  CHECK(places_in("a();\nb();\n", "q();") == "");
}

TEST_CASE("of several lines the first ends a line, and the last begins one") {
  CHECK(places_in("f(a,\n  b);\n", "a,\n  b") == "f([a,\n  b]);\n");
  CHECK(places_in("f(a,\r\n  b);\r\n", "a,\n  b") == "f([a,\r\n  b]);\r\n");
  CHECK(places_in("f(a,\n  b,\n  c);\n", "a,\n  b,\n  c") == "f([a,\n  b,\n  c]);\n");
  CHECK(places_in("f(a,\n  b,\n  d);\n", "a,\n  b,\n  c") == "");
  CHECK(places_in("f(e,\n  b,\n  c);\n", "a,\n  b,\n  c") == "");
  CHECK(places_in("  b,\n  c);\n", "a,\n  b,\n  c") == "");
  CHECK(places_in("f(a,\n  b,\n", "a,\n  b,\n  c") == "");
  CHECK(places_in("f(a, \n  b);\n", "a,\n  b") == "");
  CHECK(places_in("f(a,\n b);\n", "a,\n  b") == "");
  CHECK(places_in("f(a,\n  long_one);\n", ",\n  long_one") == "f(a[,\n  long_one]);\n");
  CHECK(places_in("  long_one\nf(a,\n  long_one);\n", ",\n  long_one") ==
        "  long_one\nf(a[,\n  long_one]);\n");
  CHECK(places_in("f(a,\n  b);\nf(a,\n  b);\n", "a,\n  b") ==
        "f([a,\n  b]);\nf(a,\n  b);\n f(a,\n  b);\nf([a,\n  b]);\n");
  CHECK(places_in("a,\n  a,\n  b", "a,\n  b") == "a,\n  [a,\n  b]");
}
