#include <doctest/doctest.h>

#include <map>

#include "edits/apply/apply.h"

using namespace bodkin;

namespace {

class OneFile : public Files {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  std::optional<Text> read(std::string_view path) const override {
    if (path != "f.ts") return std::nullopt;
    return text_;
  }
  std::vector<std::string> paths() const override { return {"f.ts"}; }

 private:
  Text text_;
};

// Lines marked ' ', '-' or '+' as in a diff.
ApplyReport applied(const std::string& text, const std::vector<std::string>& marked,
                    std::vector<std::string> anchors = {}) {
  Hunk hunk;
  hunk.anchors = std::move(anchors);
  for (const std::string& line : marked)
    hunk.lines.push_back({line[0] == ' '   ? HunkLine::Kind::context
                          : line[0] == '-' ? HunkLine::Kind::removed
                                           : HunkLine::Kind::added,
                          line.substr(1)});
  FileChange change;
  change.path = "f.ts";
  change.hunks.push_back(std::move(hunk));
  EditPlan plan;
  plan.changes.push_back(std::move(change));
  return apply(plan, OneFile(text), nullptr, {});
}

std::string after(const ApplyReport& report) {
  return report.ok && report.files.size() == 1 ? report.files[0].after->str() : "refused";
}

}  // namespace

TEST_CASE("a blank line that only the quote has does not move what is added") {
  CHECK(after(applied("// one\n// two\n\nconst a = f({\n  b,\n",
                      {" // one", " ", " // two", "+// three", " ", "-const a = f({", "+g({",
                       "   b,"})) == "// one\n// two\n// three\n\ng({\n  b,\n");
}

TEST_CASE("a line added behind an elision stands before the line that it was quoted with") {
  CHECK(after(applied("int a;\nint b;\nint c;\nint d;\n",
                      {" int a;", " // ... existing code ...", "+int x;", " int d;"})) ==
        "int a;\nint b;\nint c;\nint x;\nint d;\n");
}

TEST_CASE("an elision that is removed or added is refused: it stands for lines that nobody named") {
  CHECK(after(applied("int a;\nint b;\nint d;\n", {" int a;", "-// ...", " int d;"})) == "refused");
  CHECK(after(applied("int a;\nint b;\nint d;\n", {"-int a;", " // ... existing code ...",
                                                   "+// ... rest unchanged ...", " int d;"})) ==
        "refused");
}

TEST_CASE("a changed piece that fits two places between its neighbours is refused") {
  CHECK(after(applied("a();\nx();\nb();\nx();\nc();\n",
                      {" a();", " // ...", "-x();", "+y();", " // ...", " c();"})) == "refused");
}

TEST_CASE("a diff that lost its column of blanks adds lines as they were written") {
  CHECK(after(applied("  if (a) {\n    b();\n  }\n", {"  if (a) {", "-    b();", "+    c();",
                                                      "  }"})) == "  if (a) {\n    c();\n  }\n");
}

TEST_CASE("an anchor directly above one of two equal places decides") {
  CHECK(after(applied("one:\nx();\ntwo:\nx();\n", {"-x();", "+y();"}, {"two:"})) ==
        "one:\nx();\ntwo:\ny();\n");
  CHECK(after(applied("one:\nx();\ntwo:\nx();\n", {"-x();", "+y();"})) == "refused");
}

TEST_CASE("a sibling that declares another name is not the function that moved on") {
  const std::vector<std::string> marked = {" def get_b(self):", "     self.check()",
                                           "-    return 1", "+    return 2", "     # end of it"};
  CHECK(after(applied("def get_a(self):\n    self.check()\n    return 1\n    # end of it\n",
                      marked)) == "refused");
}
