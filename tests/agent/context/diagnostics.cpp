#include "agent/context/diagnostics.h"

#include <doctest/doctest.h>

using namespace bodkin;

namespace {

Diagnostic problem(size_t begin, std::string message, std::string source = "clang") {
  Diagnostic result;
  result.begin_byte = begin;
  result.end_byte = begin + 1;
  result.message = std::move(message);
  result.source = std::move(source);
  return result;
}

std::string messages(const std::vector<Diagnostic>& list) {
  std::string text;
  for (const Diagnostic& one : list)
    text += one.message + "@" + std::to_string(one.begin_byte) + " ";
  return text;
}

}  // namespace

TEST_CASE("a problem is compared by its words and its place, moved by the edits") {
  struct Row {
    const char* name;
    std::vector<Diagnostic> before, after;
    std::vector<Replacement> edits;
    const char *added, *fixed, *remaining;
  };
  const Row rows[] = {
      {"nothing changed", {problem(5, "a")}, {problem(5, "a")}, {}, "", "", "a@5 "},
      {"moved down by an insertion above",
       {problem(50, "a")},
       {problem(57, "a")},
       {{10, 0, "1234567"}},
       "",
       "",
       "a@57 "},
      {"moved up by a deletion above",
       {problem(50, "a")},
       {problem(45, "a")},
       {{10, 5, ""}},
       "",
       "",
       "a@45 "},
      {"an edit below moves nothing",
       {problem(5, "a")},
       {problem(5, "a")},
       {{10, 5, "x"}},
       "",
       "",
       "a@5 "},
      {"same words at another place are another problem",
       {problem(5, "a")},
       {problem(30, "a")},
       {{10, 5, "x"}},
       "a@30 ",
       "a@5 ",
       ""},
      {"inside a replaced part it may be anywhere in what replaced it",
       {problem(12, "a")},
       {problem(18, "a")},
       {{10, 5, "0123456789"}},
       "",
       "",
       "a@18 "},
      {"a number in the words, such as of a line, may change",
       {problem(50, "declared at line 3")},
       {problem(57, "declared at line 12")},
       {{10, 0, "1234567"}},
       "",
       "",
       "declared at line 12@57 "},
      {"but not in what was replaced: it may be of a name",
       {problem(12, "unknown name 'v1'")},
       {problem(12, "unknown name 'v2'")},
       {{10, 5, "yyyyy"}},
       "unknown name 'v2'@12 ",
       "unknown name 'v1'@12 ",
       ""},
      {"fixed by the edit", {problem(12, "a")}, {}, {{10, 5, "y"}}, "", "a@12 ", ""},
      {"brought in by the edit", {}, {problem(11, "b")}, {{10, 5, "y"}}, "b@11 ", "", ""},
      {"one of two equal ones was fixed",
       {problem(12, "a"), problem(40, "a")},
       {problem(40, "a")},
       {{10, 5, "yyyyy"}},
       "",
       "a@12 ",
       "a@40 "},
      {"bodkin's own are left out",
       {problem(1, "p", "bodkin")},
       {problem(2, "q", "bodkin")},
       {},
       "",
       "",
       ""},
      {"another source is another problem",
       {problem(5, "a", "x")},
       {problem(5, "a", "y")},
       {},
       "a@5 ",
       "a@5 ",
       ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const DiagnosticsChange change = compare(row.before, row.after, row.edits);
    CHECK(messages(change.added) == row.added);
    CHECK(messages(change.fixed) == row.fixed);
    CHECK(messages(change.remaining) == row.remaining);
  }
}

TEST_CASE("the words may name a type that the edit has changed elsewhere") {
  Diagnostic before = problem(50, "'A' is not assignable to 'int'");
  Diagnostic after = problem(50, "'B' is not assignable to 'int'");
  before.code = after.code = "not_assignable";
  CHECK(messages(compare(std::vector{before}, std::vector{after}, {}).remaining) ==
        "'B' is not assignable to 'int'@50 ");
  // At an #include, the problem of another place is shown.
  before.message = "In included file: 'A' is not assignable";
  after.message = "In included file: 'B' is not assignable";
  CHECK(compare(std::vector{before}, std::vector{after}, {}).added.size() == 1);
}

TEST_CASE("a repair is asked for new errors and warnings only") {
  FileDiagnostics file;
  file.path = "a.cpp";
  CHECK(repair_prompt(std::vector{file}).empty());
  file.change.remaining.push_back(problem(1, "old"));
  file.change.added.push_back(problem(3, "just a hint"));
  file.change.added[0].severity = Severity::hint;
  CHECK(repair_prompt(std::vector{file}).empty());
  file.change.added.push_back(problem(9, "no member named 'x'"));
  file.change.added[1].lines = {12, 13};
  const std::string text = repair_prompt(std::vector{file});
  CHECK(text.find("a.cpp, line 13: error: no member named 'x' [clang]") != std::string::npos);
  CHECK(text.find("hint") == std::string::npos);
  CHECK(text.find("old") == std::string::npos);
}

TEST_CASE("what a message quotes of other files is left out") {
  const std::string text = "int b = f(x);\n";
  CHECK(without_foreign_words("no member named 'x' here", text) == "no member named 'x' here");
  CHECK(without_foreign_words("undeclared identifier 'hunter2pw'", text) ==
        "undeclared identifier '…'");
  CHECK(without_foreign_words("type \"a \\\"b\\\" c\" is wrong", text) == "type \"…\" is wrong");
  CHECK(without_foreign_words("it isn't 'f'; 'K'", text) == "it isn't 'f'; '…'");
  CHECK(without_foreign_words("unclosed 'secret", text) == "unclosed '…");
}
