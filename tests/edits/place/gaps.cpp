#include <doctest/doctest.h>

#include <map>

#include "edits/apply/apply.h"
#include "edits/place/rungs.h"

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

namespace {

// The file's line for each old line, '-' where it has none; "none", "several" places.
std::string lines_of(const std::string& text, const std::string& signs) {
  Hunk hunk;
  for (size_t at = 0; at < signs.size();) {
    const size_t end = signs.find('\n', at);
    hunk.lines.push_back({signs[at] == '-'   ? HunkLine::Kind::removed
                          : signs[at] == '+' ? HunkLine::Kind::added
                                             : HunkLine::Kind::context,
                          signs.substr(at + 1, end - at - 1)});
    at = end + 1;
  }
  const MappedText file{Text(text)};
  const std::vector<Place> places = find_with_gaps({file, hunk, old_side(hunk)});
  if (places.size() != 1) return places.empty() ? "none" : "several";
  std::string out;
  for (const size_t line : places[0].line_of)
    out += (out.empty() ? "" : " ") + (line == kNoLine ? "-" : std::to_string(line));
  return out;
}

}  // namespace

TEST_CASE("blank lines and comments may be on one side only") {
  const std::string quote = " a(1);\n-b(2);\n c(3);\n", plain = "a(1);\nb(2);\nc(3);\n";
  CHECK(lines_of("a(1);\n\nb(2);\nc(3);\n", quote) == "0 2 3");
  CHECK(lines_of(plain, " a(1);\n \n-b(2);\n c(3);\n") == "0 - 1 2");
  CHECK(lines_of(plain, " a(1);\n // x\n-b(2);\n c(3);\n") == "0 - 1 2");
  for (const char* comment : {"// x", "# x", "-- x", "---", "--[ x", "/* x", "* x", "*/", "<!-- x",
                              ";; x", "% x", "*", "#"}) {
    INFO(std::string(comment));
    CHECK(lines_of("a(1);\n" + std::string(comment) + "\nb(2);\nc(3);\n", quote) == "0 2 3");
  }
  for (const char* code : {"## x", "### x", "#include x", "#define x", "#if x", "#else", "#endif",
                           "#undef x", "#pragma x", "#error x", "#[x]", "#!x", "x"}) {
    INFO(std::string(code));
    CHECK(lines_of("a(1);\n" + std::string(code) + "\nb(2);\nc(3);\n", quote) == "none");
  }
  CHECK(lines_of(plain + plain, " a(1);\n \n-b(2);\n c(3);\n") == "several");
  // What the file has elsewhere, what is removed, and what elides is not left out.
  CHECK(lines_of(plain + "// x\n", " a(1);\n // x\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of(plain, " a(1);\n-// x\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of(plain, " a(1);\n // ... existing code ...\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of("a(1);\n// k\nb(2);\n// k\nc(3);\n", " a(1);\n b(2);\n // k\n-c(3);\n") == "none");
  // A comment in the place of another one.
  CHECK(lines_of("a(1);\n// y\nb(2);\nc(3);\n", " a(1);\n // x\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of(plain, " // x\n a(1);\n-b(2);\n c(3);\n") == "- 0 1 2");
  CHECK(lines_of("// y\n" + plain, " // x\n a(1);\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of("// y\n\n" + plain, " // x\n a(1);\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of("// y\n" + plain, " \n a(1);\n-b(2);\n c(3);\n") == "- 1 2 3");
  CHECK(lines_of(plain, " a(1);\n-b(2);\n c(3);\n // x\n") == "0 1 2 -");
  CHECK(lines_of(plain + "// y\n", " a(1);\n-b(2);\n c(3);\n // x\n") == "none");
  CHECK(lines_of(plain + "\n// y\n", " a(1);\n-b(2);\n c(3);\n // x\n") == "none");
  CHECK(lines_of(plain, " a(1);\n-b(2);\n c(3);\n \n") == "0 1 2 -");
  CHECK(lines_of(plain + "\n\n", " a(1);\n \n-b(2);\n c(3);\n \n") == "0 - 1 2 3");
}

TEST_CASE("few lines that agree are no evidence, nor are fewer than comments that do not") {
  CHECK(lines_of("b(2);\nc(3);\n", "-b(2);\n // x\n") == "none");
  CHECK(lines_of("// k\nb(2);\n", " // k\n // x\n-b(2);\n") == "none");
  CHECK(lines_of("// k\n// l\nb(2);\n", " // k\n // l\n // x\n-b(2);\n") == "0 1 - 2");
  CHECK(lines_of("a(1);\nb(2);\n", " a(1);\n // x\n // y\n-b(2);\n") == "0 - - 1");
  CHECK(lines_of("a(1);\nb(2);\n", " a(1);\n // x\n // y\n // z\n-b(2);\n") == "none");
  CHECK(lines_of("a(1);\n// x\n// y\nb(2);\n", " a(1);\n-b(2);\n") == "0 3");
  CHECK(lines_of("a(1);\n// x\n// y\n// z\nb(2);\n", " a(1);\n-b(2);\n") == "none");
  CHECK(lines_of("\n", " \n // x\n") == "none");
}

TEST_CASE("what changes has no gap in it, nor has what it hangs on") {
  const std::string plain = "a(1);\nb(2);\nc(3);\n";
  for (const char* gap : {"", "// x"}) {
    const std::string file = "a(1);\n" + std::string(gap) + "\nb(2);\nc(3);\n";
    CHECK(lines_of(file, " a(1);\n+n();\n b(2);\n c(3);\n") == "none");
    CHECK(lines_of(file, "-a(1);\n-b(2);\n+n();\n c(3);\n") == "none");
    CHECK(lines_of(file, "-a(1);\n-b(2);\n c(3);\n") == "0 2 3");
    CHECK(lines_of(file, "+n();\n a(1);\n b(2);\n c(3);\n") == "0 2 3");
    CHECK(lines_of(file, " a(1);\n b(2);\n+n();\n c(3);\n") == "0 2 3");
    CHECK(lines_of(file, " a(1);\n b(2);\n c(3);\n+n();\n") == "0 2 3");
  }
  const std::string quote = " a(1);\n-// k\n b(2);\n c(3);\n";
  CHECK(lines_of("a(1);\n\n// k\nb(2);\nc(3);\n", quote) == "none");
  CHECK(lines_of("a(1);\n// k\n\nb(2);\nc(3);\n", quote) == "none");
  CHECK(lines_of("a(1);\n// k\nb(2);\n\nc(3);\n", quote) == "0 1 2 4");
  CHECK(lines_of(plain, " a(1);\n \n+n();\n b(2);\n c(3);\n") == "0 - 1 2");
  CHECK(lines_of(plain, " a(1);\n+n();\n \n b(2);\n c(3);\n") == "0 - 1 2");
  CHECK(lines_of(plain, " a(1);\n // x\n+n();\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(plain, " a(1);\n+n();\n // x\n b(2);\n c(3);\n") == "none");
}

TEST_CASE("a kept line may be wrapped on one side") {
  const std::string wrapped = "call(first_one,\n     second);\nb(2);\nc(3);\n",
                    whole = "call(first_one, second);\nb(2);\nc(3);\n";
  CHECK(lines_of(wrapped, " call(first_one, second);\n-b(2);\n c(3);\n") == "0 2 3");
  CHECK(lines_of(whole, " call(first_one,\n      second);\n-b(2);\n c(3);\n") == "0 - 1 2");
  CHECK(lines_of("a(1);\n" + wrapped, " a(1);\n call(first_one, second);\n-b(2);\n") == "0 1 3");
  CHECK(lines_of(wrapped, "-call(first_one, second);\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(whole, "-call(first_one,\n-     second);\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(wrapped, " call(first_one, third);\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of("call(first_one,\n", " call(first_one, second);\n-b(2);\n") == "none");
  CHECK(lines_of("abcdef(f,\ng);\nb(2);\nc(3);\n", " abcdef(f, g);\n-b(2);\n c(3);\n") == "0 2 3");
  CHECK(lines_of("abcde(f,\ng);\nb(2);\nc(3);\n", " abcde(f, g);\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of("abcdef(f,\ng,\nh,\ni);\nb(2);\nc(3);\n",
                 " abcdef(f, g, h, i);\n-b(2);\n c(3);\n") == "0 4 5");
  CHECK(lines_of("abcdef(f,\ng,\nh,\ni,\nj);\nb(2);\nc(3);\n",
                 " abcdef(f, g, h, i, j);\n-b(2);\n c(3);\n") == "none");
  CHECK(lines_of("abcdef(first, g, h, i);\nb(2);\nc(3);\n",
                 " abcdef(first,\n g,\n h,\n i);\n-b(2);\n c(3);\n") == "0 - - - 1 2");
  // Nothing is added next to it.
  CHECK(lines_of(wrapped, " call(first_one, second);\n+n();\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(wrapped, "+n();\n call(first_one, second);\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(whole, " call(first_one,\n+n();\n      second);\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(whole, " call(first_one,\n      second);\n+n();\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(wrapped, " call(first_one, second);\n b(2);\n+n();\n c(3);\n") == "0 2 3");
  CHECK(lines_of(wrapped, " call(first_one, second);\n-b(2);\n+n();\n c(3);\n") == "0 2 3");
}

TEST_CASE("where a quote may begin at many lines, or is asked for often, the answer is the same") {
  Hunk hunk;
  hunk.lines = {{HunkLine::Kind::context, "a(1);"},
                {HunkLine::Kind::removed, "b(2);"},
                {HunkLine::Kind::context, "c(3);"}};
  const auto places = [&](const std::string& text, int questions) {
    const MappedText file{Text(text)};
    std::vector<Place> found;
    for (int i = 0; i < questions; ++i) found = find_with_gaps({file, hunk, old_side(hunk)});
    return found.size();
  };
  std::string many;
  for (int i = 0; i < 199; ++i) many += "a(1);\nx(" + std::to_string(i) + ");\n";
  const std::string place = "a(1);\n\nb(2);\nc(3);\n";
  for (const int questions : {1, 40}) {
    CHECK(places(place, questions) == 1);
    CHECK(places("a(1);\nb(2);\n", questions) == 0);
    CHECK(places("x\n" + place + place, questions) == 2);
    CHECK(places(many + place, questions) == 1);
    CHECK(places(many + "a(1);\n" + place, questions) == 0);
    CHECK(places(place + many + place, questions) != 1);
  }
  hunk.lines = {{HunkLine::Kind::context, "call(first, second);"},
                {HunkLine::Kind::removed, "b(2);"},
                {HunkLine::Kind::context, "c(3);"}};
  const std::string wrapped = "call(first,\n     second);\n", rest = "b(2);\nc(3);\n";
  many.clear();
  for (int i = 0; i < 199; ++i) many += wrapped + "x(" + std::to_string(i) + ");\n";
  for (const int questions : {1, 40}) {
    CHECK(places(many + wrapped + rest, questions) == 1);
    CHECK(places(wrapped + rest + many + wrapped + rest, questions) != 1);
  }
  // A comment that the file has once, elsewhere, is none that only the quote has.
  hunk.lines = {{HunkLine::Kind::context, "a(1);"},
                {HunkLine::Kind::context, "// k"},
                {HunkLine::Kind::removed, "b(2);"},
                {HunkLine::Kind::context, "c(3);"}};
  for (const int questions : {1, 40}) {
    CHECK(places("a(1);\nb(2);\nc(3);\n", questions) == 1);
    CHECK(places("a(1);\nb(2);\nc(3);\n// k\n", questions) == 0);
  }
}

TEST_CASE("only a kept line of some length is looked for wrapped") {
  const std::string rest = "\n-b(2);\n c(3);\n", file = "b(2);\nc(3);\n";
  CHECK(lines_of("abcd(\nefg(hi));\n" + file, " abcd(efg(hi));" + rest) == "0 2 3");
  CHECK(lines_of("abc\n(defg, hij);\n" + file, " abc(defg, hij);" + rest) == "none");
  CHECK(lines_of("xbcd(\nefg(hi));\n" + file, " abcd(efg(hi));" + rest) == "none");
  CHECK(lines_of("// one\n// two and three\n" + file, " // one// two and three" + rest) == "none");
  CHECK(lines_of("((((((\n))))))\n" + file, " (((((())))))" + rest) == "none");
  CHECK(lines_of("abcd(efg(hi));\nx();\n" + file, " abcd(\n efg(hi));\n x();\n y();\n-b(2);\n") ==
        "none");
}

TEST_CASE("a comment that the quote has in one of the next eight lines is none that it lacks") {
  const auto with_comment_after = [](int lines) {
    std::string file = "a(0);\n// k\n", quote = " a(0);\n";
    for (int i = 1; i <= lines; ++i) {
      file += "b(" + std::to_string(i) + ");\n";
      quote += " b(" + std::to_string(i) + ");\n";
    }
    return lines_of(file + "// k\nc(3);\n", quote + " // k\n-c(3);\n");
  };
  CHECK(with_comment_after(8) == "none");
  CHECK(with_comment_after(9) == "0 2 3 4 5 6 7 8 9 10 11 12");
}

TEST_CASE("what is replaced beside a gap, and what is added at an end") {
  const std::string plain = "a(1);\nb(2);\nc(3);\n";
  CHECK(lines_of("b(2);\ncall(first_one,\n second);\nc(3);\n",
                 "-b(2);\n+n();\n call(first_one, second);\n c(3);\n") == "0 1 3");
  CHECK(lines_of("a(1);\ncall(first_one,\n second);\nb(2);\n",
                 " a(1);\n+n();\n call(first_one, second);\n b(2);\n") == "none");
  CHECK(lines_of("b(2);\ncall(first_one,\n second);\n",
                 " b(2);\n call(first_one, second);\n+n();\n") == "none");
  CHECK(lines_of(plain, " // x\n+n();\n a(1);\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of(plain, "+n();\n // x\n a(1);\n b(2);\n c(3);\n") == "none");
  CHECK(lines_of("a(1);\nb(2);\n\nc(3);\n", "-a(1);\n-b(2);\n+n();\n c(3);\n") == "0 1 3");
  CHECK(lines_of("// k\na(1);\n\nb(2);\n", "-// k\n a(1);\n b(2);\n") == "0 1 3");
  CHECK(lines_of("a(1);\n\nb(2);\n// k\n", " a(1);\n b(2);\n-// k\n") == "0 2 3");
  CHECK(lines_of("a(1);\n\nb(2);\n\nc(3);\n", " a(1);\n b(2);\n \n-c(3);\n") == "0 2 3 4");
  const auto apart = [](size_t blanks) {
    return lines_of("a(1);\n" + std::string(blanks, '\n') + "b(2);\nc(3);\n",
                    " a(1);\n-b(2);\n c(3);\n");
  };
  CHECK(apart(40) == "0 41 42");
  CHECK(apart(41) == "none");
}
