#include "edits/apply/apply.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "edits/formats/parse.h"

using namespace bodkin;
using State = HunkReport::State;

namespace {

class MapFiles : public Files {
 public:
  explicit MapFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  std::optional<Text> read(std::string_view path) const override {
    const auto it = files_.find(std::string(path));
    if (it == files_.end()) return std::nullopt;
    return Text(it->second);
  }
  std::vector<std::string> paths() const override {
    std::vector<std::string> all;
    for (const auto& [path, text] : files_) all.push_back(path);
    return all;
  }

 private:
  std::map<std::string, std::string> files_;
};

ApplyReport applied(std::string_view reply, const std::map<std::string, std::string>& files) {
  const auto plan = parse_edits(reply, {});
  REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().message));
  return apply(*plan, MapFiles(files), nullptr, {});
}

std::string block(std::string_view search, std::string_view replace,
                  std::string_view path = "f.py") {
  return std::string(path) + "\n<<<<<<< SEARCH\n" + std::string(search) + "=======\n" +
         std::string(replace) + ">>>>>>> REPLACE\n";
}

// The text of f.py after one block, or the kind of the refusal.
std::string after(std::string_view reply, const std::string& file) {
  const ApplyReport report = applied(reply, {{"f.py", file}});
  if (!report.ok) return "refused: " + std::string(name_of(report.failure->kind));
  return report.files.empty() ? file : report.files.at(0).after->str();
}

}  // namespace

TEST_CASE("a hunk that fits two places is refused with both lines") {
  const ApplyReport report = applied(block("a\n", "b\n"), {{"f.py", "a\nx\na\n"}});
  CHECK(!report.ok);
  CHECK(report.files.empty());
  CHECK(report.failure->kind == FailureKind::ambiguous);
  CHECK(report.failure->message.find("1 and 3") != std::string::npos);
}

TEST_CASE("the ladder stops at the first rung with hits") {
  CHECK(after(block("x = 1\n", "x = 2\n"), "  x = 1\nx = 1\n") == "  x = 1\nx = 2\n");
  // Two equal places on a looser rung are not told apart by taking the first.
  CHECK(after(block("x = 1 \n", "x = 2\n"), "  x = 1\n    x = 1\n") == "refused: ambiguous");
}

TEST_CASE("what surrounds the change keeps the file's bytes") {
  CHECK(after(block("a\nb\n", "a\nB\n"), "a  \r\nb\r\nc") == "a  \r\nB\r\nc");
  CHECK(after(block("a\nb\n", "a\nb\nn\n"), "a\r\nb\nc\n") == "a\r\nb\nn\nc\n");
  CHECK(after(block("b\n", "B\nC\n"),
              "\xEF\xBB\xBF"
              "a\nb") ==
        "\xEF\xBB\xBF"
        "a\nB\nC");
  CHECK(after(block("a\nb\n", "a\n"), "a\nb") == "a");
  CHECK(after(block("say(\"x\")\nb\n", "say(\"x\")\nc\n"), "say(\xE2\x80\x9Cx\xE2\x80\x9D)\nb\n") ==
        "say(\xE2\x80\x9Cx\xE2\x80\x9D)\nc\n");
}

TEST_CASE("edits are minimal") {
  const ApplyReport report =
      applied(block("a\nb\nc\n", "a\nB\nc\n"), {{"f.py", "0\na\nb\nc\nd\n"}});
  REQUIRE(report.ok);
  CHECK(report.files.at(0).edits == std::vector<Replacement>{{4, 2, "B\n"}});
}

TEST_CASE("a file is as loosely placed as the loosest of its hunks") {
  const ApplyReport report = applied(
      block("a\n", "A\n") + block("b \n", "B\n") + block("c\n", "C\n"), {{"f.py", "a\nb\nc\n"}});
  CHECK(report.files.at(0).quality == MatchQuality::trailing_space);
}

TEST_CASE("inserted lines take the indentation of the place") {
  CHECK(after(block("if x:\n    y()\n", "if x:\n    z()\n    y()\n"),
              "def f():\n    if x:\n        y()\n") ==
        "def f():\n    if x:\n        z()\n        y()\n");
  CHECK(after(block("if x:\n    y()\n", "if x:\n    y()\n    z()\n"), "if x:\n\ty()\n") ==
        "if x:\n\ty()\n\tz()\n");
}

TEST_CASE("a sibling that only looks alike is not edited") {
  const std::string file = "def get_b(x):\n    check(x)\n    return self.b\n";
  CHECK(after(block("def get_a(x):\n    check(x)\n    return self.a\n",
                    "def get_a(x):\n    check(x)\n    return self.c\n"),
              file) == "refused: not_found");
}

TEST_CASE("a context line that moved on stays as the file has it") {
  CHECK(after(block("one()\ntwo(adress)\nthree()\nfour()\nfive()\n",
                    "one()\ntwo(adress)\nthree()\nFOUR()\nfive()\n"),
              "one()\ntwo(address)\nthree()\nfour()\nfive()\n") ==
        "one()\ntwo(address)\nthree()\nFOUR()\nfive()\n");
}

TEST_CASE("a block whose new text stands elsewhere is not applied to a neighbour") {
  const ApplyReport report =
      applied(block("  a\n  b\n", "  a\n  c\n"), {{"f.py", "  a\n  c\nx\na\nb\n"}});
  CHECK(!report.ok);
  CHECK(report.files.empty());
}

TEST_CASE("hunks that overlap are a conflict, and then nothing changes") {
  const ApplyReport report =
      applied(block("a\nb\n", "A\nb\n") + block("a\nb\nc\n", "a\nb\nC\n"), {{"f.py", "a\nb\nc\n"}});
  CHECK(!report.ok);
  CHECK(report.failure->kind == FailureKind::conflict);
  CHECK(report.files.empty());
}

TEST_CASE("one bad hunk holds the whole plan back") {
  const ApplyReport report = applied(block("a\n", "A\n") + block("nowhere\n", "x\n", "g.py"),
                                     {{"f.py", "a\n"}, {"g.py", "b\n"}});
  CHECK(!report.ok);
  CHECK(report.files.empty());
  CHECK(report.hunks.at(0).state == State::applied);
  CHECK(report.hunks.at(1).state == State::failed);
}

TEST_CASE("the neighbours' order decides between equal places") {
  CHECK(after(block("one\n", "ONE\n") + block("x\n", "X\n") + block("two\n", "TWO\n"),
              "x\none\nx\ntwo\nx\n") == "x\nONE\nX\nTWO\nx\n");
}

TEST_CASE("a path names one file beyond doubt or none") {
  const std::map<std::string, std::string> files = {
      {"src/f.py", "a\n"}, {"lib/g.py", "a\n"}, {"src/g.py", "a\n"}};
  for (const char* path : {"f.py", "./src/f.py", "b/src/f.py", "project/src/f.py"}) {
    CAPTURE(path);
    const ApplyReport report = applied(block("a\n", "b\n", path), files);
    REQUIRE(report.ok);
    CHECK(report.files.at(0).path == "src/f.py");
  }
  for (const char* path : {"g.py", "src/h.py", "../src/f.py", "/src/f.py"}) {
    CAPTURE(path);
    const ApplyReport report = applied(block("a\n", "b\n", path), files);
    REQUIRE(!report.ok);
    CHECK(report.failure->kind == FailureKind::stale_path);
  }
}

TEST_CASE("of files that differ in case a path in another case means none") {
  const std::string edit = block("a\n", "b\n", "src/F.py");
  const ApplyReport one = applied(edit, {{"src/f.py", "a\n"}});
  REQUIRE(one.ok);
  CHECK(one.files.at(0).path == "src/f.py");
  const ApplyReport two = applied(edit, {{"src/f.py", "a\n"}, {"SRC/f.py", "a\n"}});
  REQUIRE(!two.ok);
  CHECK(two.failure->kind == FailureKind::stale_path);
}

TEST_CASE("one file under two names is one file") {
  const ApplyReport report =
      applied(block("a\n", "A\n", "src/f.py") + block("b\n", "B\n", "./src/f.py") +
                  block("c\n", "C\n", "f.py"),
              {{"src/f.py", "a\nb\nc\n"}});
  REQUIRE(report.ok);
  CHECK(report.files.at(0).after->str() == "A\nB\nC\n");
}

TEST_CASE("a file moves only from its own path") {
  const auto moved = [](std::string_view from, std::string_view to) {
    const std::string patch = "*** Begin Patch\n*** Update File: " + std::string(from) +
                              "\n*** Move to: " + std::string(to) + "\n*** End Patch\n";
    const ApplyReport report = applied(patch, {{"src/a/f.py", "x\n"}});
    return report.ok ? *report.files.at(0).rename_to : std::string(name_of(report.failure->kind));
  };
  CHECK(moved("src/a/f.py", "g.py") == "g.py");
  CHECK(moved("f.py", "g.py") == "stale_path");
  CHECK(moved("f.py", "src/a/g.py") == "stale_path");
  CHECK(moved("a/f.py", "a/g.py") == "stale_path");
  CHECK(moved("repo/src/a/f.py", "repo/lib/g.py") == "stale_path");
  CHECK(moved("f.py", "lib/g.py") == "stale_path");
  CHECK(moved("repo/src/a/f.py", "lib/g.py") == "stale_path");
  CHECK(moved("src/a/f.py", ".GIT/hooks/g") == "stale_path");
}

TEST_CASE("a diff that removes a file must quote that file") {
  const auto removed = [](std::string_view lines) {
    const std::string diff = "--- a/f.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n" + std::string(lines);
    return after(diff, "one\ntwo\n");
  };
  CHECK(
      applied("--- a/f.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n", {{"f.py", "one\ntwo\n"}})
          .ok);
  CHECK(removed("-one\n-three\n") == "refused: not_found");
}

TEST_CASE(
    "a whole file under a name that several have is none of them, and no new one beside them") {
  const std::string text = "import os\nimport sys\nprint(os)\n";
  const std::string reply = "f.py\n```python\n" + text + "```\n";
  CHECK(!applied(reply, {{"a/f.py", text + "x\n"}, {"b/f.py", text}}).ok);
  CHECK(!applied(reply, {{"a/f.py", "other\n"}, {"b/f.py", "another\n"}}).ok);
  // A folder of that name is no side of a diff.
  const ApplyReport report = applied("a/f.py\n```python\n" + text + "```\n", {{"f.py", "other\n"}});
  REQUIRE(report.ok);
  CHECK(report.files.at(0).path == "a/f.py");
}

TEST_CASE("dots are the body of a Python function that had none") {
  CHECK(after(block("    pass\n", "    ...\n"), "def f():\n    pass\n") == "def f():\n    ...\n");
  CHECK(after(block("    a()\n    b()\n", "    ...\n"), "def f():\n    a()\n    b()\n") ==
        "refused: malformed");
}

TEST_CASE("a new file never replaces one that exists") {
  const std::string patch = "*** Begin Patch\n*** Add File: f.py\n+x\n*** End Patch\n";
  CHECK(after(patch, "old\n") == "refused: exists");
  const ApplyReport report = applied(patch, {});
  REQUIRE(report.ok);
  CHECK(report.files.at(0).after->str() == "x\n");
}

TEST_CASE("an anchor that is not there refuses its hunk") {
  const std::string patch =
      "*** Begin Patch\n*** Update File: f.py\n@@ def gone():\n+x\n*** End Patch\n";
  CHECK(after(patch, "def f():\n    pass\n") == "refused: not_found");
}

TEST_CASE("the split whose first half exists is the one that was meant") {
  CHECK(after("f.py\n<<<<<<< SEARCH\nT\n=====\nx\n=======\nT\n=====\ny\n>>>>>>> REPLACE\n",
              "0\nT\n=====\nx\n") == "0\nT\n=====\ny\n");
}

TEST_CASE("one function in a fence below its file's path changes that function alone") {
  const std::string file = "import os\n\ndef a():\n    return 1\n\ndef b():\n    return 2\n";
  const std::string part = "f.py\n```python\ndef b():\n    return 3\n```\n";
  const ApplyReport report = applied("Change `b`:\n\n" + part, {{"f.py", file}});
  REQUIRE(report.ok);
  CHECK(report.files.at(0).after->str() ==
        "import os\n\ndef a():\n    return 1\n\ndef b():\n    return 3\n");
  CHECK(report.hunks.at(0).note.find("the rest stays") != std::string::npos);
  // Who asks for whole files gets them.
  const auto plan = parse_edits(part, {Format::whole, "", false});
  REQUIRE(plan.has_value());
  const ApplyReport whole = apply(*plan, MapFiles({{"f.py", file}}), nullptr, {});
  REQUIRE(whole.ok);
  CHECK(whole.files.at(0).after->str() == "def b():\n    return 3\n");
  // One part of the reply that is refused holds the others back.
  CHECK(!applied(part + block("x\n", "y\n", "g.py"), {{"f.py", file}, {"g.py", "x\n"}}).ok);
}

TEST_CASE("a fence makes a new file only of what is a file's name") {
  CHECK(applied("src/new.py\n```python\nx = 1\n```\n", {}).ok);
  CHECK(applied("Makefile\n```\nall:\n```\n", {}).ok);
  const ApplyReport report = applied("**Linux/macOS:**\n```sh\n./build.sh\n```\n", {});
  CHECK(!report.ok);
  CHECK(report.failure->message.find("may not be a file") != std::string::npos);
}

TEST_CASE("lines of a file that are cited are no file") {
  const auto plan = parse_edits("```12:13:src/a.py\nx = 1\n```\n", {});
  REQUIRE(plan.has_value());
  CHECK(plan->changes.empty());
}

TEST_CASE("a NUL byte comes to no text that has none") {
  using namespace std::string_view_literals;
  for (const std::string& reply :
       {block("b\n", "b\0c\n"sv), block("", "b\0c\n"sv, "new.py"),
        std::string("```python f.py\na\nb\n\0c\n```\n"sv),
        std::string("--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n a\n-b\n+b\0c\n"sv)}) {
    const ApplyReport report = applied(reply, {{"f.py", "a\nb\n"}});
    CHECK(!report.ok);
    CHECK(report.files.empty());
    REQUIRE(report.failure);
    CHECK_MESSAGE(report.failure->message.contains("NUL byte"), report.failure->message);
  }
  CHECK(applied(block("b\n", "b\0c\n"sv), {{"f.py", std::string("a\0\nb\n"sv)}}).ok);
}

TEST_CASE("a hunk that is refused writes nothing and has no place") {
  const ApplyReport report = applied(block("a();\nb();\nc();\n", "x();\n# ... existing code ...\n"),
                                     {{"f.py", "a();\nb();\nc();\n"}});
  REQUIRE(report.failure.has_value());
  CHECK(report.failure->kind == FailureKind::malformed);
  CHECK(report.hunks.at(0).edits.empty());
  CHECK(!report.hunks.at(0).match.has_value());
  const std::string guide = "Setup\n=======\n\nInstall it.\n\nUse\n=======\n\nRun it.\n";
  const ApplyReport two = applied(
      block("Setup\n=======\n\nInstall it.\n", "Build it.\n", "guide.rst"), {{"guide.rst", guide}});
  REQUIRE(two.failure.has_value());
  CHECK(!two.hunks.at(0).match.has_value());
}
