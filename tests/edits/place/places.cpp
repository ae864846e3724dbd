// Blocks whose place is not what it seems: each row was once put somewhere else than meant.
#include <doctest/doctest.h>

#include <string>

#include "edits/apply/apply.h"
#include "edits/formats/parse.h"

using namespace bodkin;

namespace {

struct OneFile : Files {
  std::string text;
  std::optional<Text> read(std::string_view path) const override {
    return path == "f" ? std::optional(Text(text)) : std::nullopt;
  }
  std::vector<std::string> paths() const override { return {"f"}; }
};

struct Row {
  const char* what;
  std::string file, search, replace;
  std::string after;  // or the kind of the refusal; empty: the file stays, refused or not
};

const Row kRows[] = {
    {"an addition that stands there already", "one line\nanother();\nend\n", "one line\n",
     "one line\nanother();\n", ""},
    {"a removed bracket of another depth", "  a(b);\n    }\n  }\n", "    a(b);\n  }\n",
     "    a(b);\n  } // x\n", "not_found"},
    {"an addition next to a comment that the quote lacks",
     "first();\n// why\nsecond();\nthird();\n", "first();\nsecond();\nthird();\n",
     "first();\nadded();\nsecond();\nthird();\n", "not_found"},
    {"an addition next to a line that is a comment only in the quote",
     "open() {\n  const log = 1;\n  go();\n  // tail\n}\n", "open() {\n  // tail\n",
     "open() {\n  // tail\n  added();\n", "not_found"},
    {"a blank line at the end that is the whole change", "a();\nb();\nc();\n", "a();\nb();\n\n",
     "a();\nb();\n", "not_found"},
    {"an elision is no comment that may be left out", "alpha();\nbeta();\ngamma();\n\ndelta();\n",
     "alpha();\nbeta();\n# ... rest unchanged ...\n\n",
     "alpha();\nbeta();\n# ... rest unchanged ...\nomega();\n", "not_found"},
    {"a changed piece below an elision that stands twice", "a();\nc();\nb();\nc();\n",
     "a();\n...\nc();\n", "a();\n...\nd();\n", "ambiguous"},
    {"the same code below other comments", "// x\n\n// x\nint a;\n\nint b;\nint c;\n",
     "// x\nint a;\nint b;\nint c;\n", "// x\nint a;\nint b;\nint d;\n",
     "// x\n\n// x\nint a;\n\nint b;\nint d;\n"},
    {"a first line that lost its indentation in the quote alone",
     "f() {\n    a(1);\n    b(2);\n    c(3);\n}\n", "a(1);\n    b(2);\n    c(3);\n",
     "    a(9);\n    b(2);\n    c(3);\n", "f() {\n    a(9);\n    b(2);\n    c(3);\n}\n"},
    {"a kept line that is indented oddly does not move what is added",
     "#include <a>\nint one();\nint two();\n", " #include <a>\nint one();\nint two();\n",
     " #include <a>\nif (x) {\n    int one();\nint two();\n",
     "#include <a>\nif (x) {\n    int one();\nint two();\n"},
    {"a tab within a quote that lost its tabs", "f() {\n\tone();\n\ttwo();\n}\n",
     "one();\n\ntwo();\n", "one();\n\nif (x) {\n\ttwo();\n",
     "f() {\n\tone();\n\tif (x) {\n\t\ttwo();\n}\n"},
    {"line numbers in the old half alone", "a {\n  b;\n\n}\n", "1 | a {\n2 |   b;\n3 |\n4 | }\n",
     "a {\n  c;\n\n}\n", "a {\n  c;\n\n}\n"},
    {"the entry of another key that is otherwise equal",
     "{\n  \"b\": {\n    \"min\": 1,\n    \"max\": 9\n  }\n}\n",
     "  \"a\": {\n    \"min\": 1,\n    \"max\": 9\n  }\n",
     "  \"a\": {\n    \"min\": 2,\n    \"max\": 9\n  }\n", "not_found"},
    {"one of several tests that are alike but for a number",
     "  t(1);\n  a(make());\n  is(v, 1);\n\n  t(2);\n  a(make());\n  is(v, 5);\n\n  t(3);\n  "
     "b(make());\n  is(v, 7);\n",
     "  t(2);\n  a(make());\n  is(v, 1);\n", "  t(2);\n  a(maker());\n  is(v, 1);\n", "not_found"},
    {"a comment that the file has elsewhere",
     "case a:\n  // done\n  go(1);\n  count++;\n  stop();\ncase b:\n  go(2);\n  count++;\n// end\n",
     "  go(1);\n  count++;\n  stop();\n// end\n", "  go(1);\n  total++;\n  stop();\n// end\n",
     "not_found"},
    {"the case of another value that is otherwise equal",
     "  case kB:\n    begin();\n    go();\n    break;\n",
     "  case kA:\n    begin();\n    go();\n    break;\n",
     "  case kA:\n    begin();\n    stop();\n    break;\n", "not_found"},
    {"a numbered quote whose new text is a part of the old one",
     "top();\n# a longer comment\n#\nend();\n", "2 | # a longer comment\n3 | #\n",
     "# a longer comment\n", "top();\n# a longer comment\nend();\n"},
    {"a numbered quote whose new text stands elsewhere too",
     "a();\nb();\nsame();\n\nb2();\nsame();\n", "1 | a();\n2 | b();\n3 | same();\n",
     "1 | a();\n2 | same();\n", "a();\nsame();\n\nb2();\nsame();\n"},
    {"a quote that is not there, and a new line that stands at many places",
     "a();\nreturn 0;\nb();\nreturn 0;\n", "return kNothing;\n", "return 0;\n", "not_found"},
    {"an elision in the new half alone", "a();\nb();\nc();\nd();\n", "a();\nb();\nc();\nd();\n",
     "a();\nx();\n// ... existing code ...\nd();\n", "malformed"},
    {"bare dots in the new half alone", "a();\nb();\nc();\nd();\n", "a();\nb();\nc();\nd();\n",
     "x();\n...\nd();\n", "malformed"},
    {"dots behind what is quoted", "a();\nb();\n", "a();\n", "x();\n...\n", "malformed"},
    {"a deletion between blank lines whose neighbour has none round it",
     "x();\n\nopen();\nkeep();\nclose();\n\ny();\nopen();\nkeep();\nextra_line_here();\nclose();"
     "\nz();\n",
     "\nopen();\nkeep();\nextra_line_here();\nclose();\n\n", "\nopen();\nkeep();\nclose();\n\n",
     ""},
    {"a comment that ends in dots", "load();\n", "load();\n",
     "// Loading other code ...\nload();\n", "// Loading other code ...\nload();\n"},
    {"a quote without any indentation", "f() {\n    if (x) {\n        go(1);\n    }\n}\n",
     "if (x) {\ngo(1);\n}\n", "if (x) {\ngo(2);\n}\n",
     "f() {\n    if (x) {\n        go(2);\n    }\n}\n"},
    {"what is added behind a blank line stays behind it", "one();\ntwo();\n\nthree();\n",
     "one();\n\ntwo();\n\n", "one();\n\ntwo();\n\nadded();\n",
     "one();\ntwo();\n\nadded();\nthree();\n"},
};

}  // namespace

TEST_CASE("a place that is not pinned down is refused, one that is keeps to its lines") {
  for (const Row& row : kRows) {
    INFO(row.what);
    OneFile files;
    files.text = row.file;
    const auto plan = parse_edits(
        "f\n<<<<<<< SEARCH\n" + row.search + "=======\n" + row.replace + ">>>>>>> REPLACE\n", {});
    REQUIRE(plan.has_value());
    const ApplyReport report = apply(*plan, files, nullptr, {});
    const std::string after = !report.ok             ? std::string(name_of(report.failure->kind))
                              : report.files.empty() ? row.file
                                                     : report.files[0].after->str();
    if (row.after.empty()) {
      CHECK((!report.ok || after == row.file));
    } else {
      CHECK(after == row.after);
    }
  }
}

namespace {

std::string after_edit(const std::string& before, std::string_view edit, Format format) {
  OneFile files;
  files.text = before;
  const auto plan = parse_edits(edit, {format, "f", false});
  REQUIRE(plan.has_value());
  const ApplyReport report = apply(*plan, files, nullptr, {});
  REQUIRE(report.ok);
  return report.files.empty() ? before : report.files[0].after->str();
}

}  // namespace

TEST_CASE("a tab stays a tab where make asks for it") {
  struct Makefile : OneFile {
    std::optional<Text> read(std::string_view path) const override {
      return path == "Makefile" ? std::optional(Text(text)) : std::nullopt;
    }
  } files;
  files.text = "X = a \\\n    b\nall:\n";
  const auto plan = parse_edits(
      "Makefile\n<<<<<<< SEARCH\nall:\n=======\nall:\n\techo $X\n>>>>>>> REPLACE\n", {});
  REQUIRE(plan.has_value());
  const ApplyReport report = apply(*plan, files, nullptr, {});
  REQUIRE(report.ok);
  CHECK(report.files.at(0).after->str() == "X = a \\\n    b\nall:\n\techo $X\n");
}

TEST_CASE("a line whose new text stands where it is said is not changed in its neighbour") {
  OneFile files;
  files.text = "a = 2\nb()\na = 1\n";
  const auto plan = parse_edits(
      "f\n<<<<<<< SEARCH\n:start_line:1\n-------\na = 1\n=======\na = 2\n>>>>>>> REPLACE\n", {});
  REQUIRE(plan.has_value());
  CHECK(!apply(*plan, files, nullptr, {}).ok);
}

TEST_CASE("a diff whose context is exact adds its lines as they are") {
  CHECK(after_edit("all:\n    echo\n    ls\nend\n",
                   "--- a/f\n+++ b/f\n@@ -3,2 +3,3 @@\n     ls\n+\tpwd\n end\n",
                   Format::unified) == "all:\n    echo\n    ls\n\tpwd\nend\n");
}
