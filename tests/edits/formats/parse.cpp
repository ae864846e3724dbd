#include "edits/formats/parse.h"

#include <doctest/doctest.h>

#include "edits/plan/elision.h"

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

EditPlan parsed(std::string_view reply, Format format = Format::automatic,
                std::string_view path = "") {
  auto plan = parse_edits(reply, {format, std::string(path), false});
  REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().message));
  return *plan;
}

std::string error_of(std::string_view reply, Format format = Format::automatic) {
  auto plan = parse_edits(reply, {format, "f.py", false});
  return plan ? "" : for_model(plan.error());
}

std::string half(const Hunk& hunk, Kind without) {
  std::string text;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind != without) text += line.text + "\n";
  }
  return text;
}
std::string before(const Hunk& hunk) { return half(hunk, Kind::added); }
std::string after(const Hunk& hunk) { return half(hunk, Kind::removed); }

}  // namespace

TEST_CASE("the path of a SEARCH block is found wherever models write it") {
  const char* tops[] = {
      "src/a.py\n",
      "src/a.py\n```python\n",
      "```python\nsrc/a.py\n",
      "```python src/a.py\n",
      "```python\nsrc/a.py\n```\n```python\n",
      "**`src/a.py`**:\n\n```python\n",
      "### `src/a.py`\n```\n",
      "# src/a.py\n",
      "Some prose about b.py.\n\nsrc/a.py:\n```py\n",
      "<file-edit filePath=\"src/a.py\">\n",
      "<chat>Done.</chat>\n<file-edit filePath=\"`src/a.py`\">\n",
  };
  for (const char* top : tops) {
    CAPTURE(top);
    for (const char* block : {"<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n",
                              "------- SEARCH\none\n=======\ntwo\n+++++++ REPLACE\n",
                              "  <<<<< SEARCH>\none\n  =====\ntwo\n  >>>>> REPLACE\n"}) {
      const EditPlan plan = parsed(std::string(top) + block);
      REQUIRE(plan.changes.size() == 1);
      CHECK(plan.changes[0].path == "src/a.py");
      REQUIRE(plan.changes[0].hunks.size() == 1);
      CHECK(before(plan.changes[0].hunks[0]) == "one\n");
      CHECK(after(plan.changes[0].hunks[0]) == "two\n");
    }
  }
}

TEST_CASE("a file's tag binds what is in it, and holds an edit") {
  const std::string block = "<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n";
  const auto in_tag = [](const std::string& body) {
    ParseOptions options;
    options.in_chat = true;
    return parse_edits("<file-edit filePath=\"src/a.py\">\n" + body + "</file-edit>\nDone.\n",
                       options);
  };
  for (const std::string& body :
       {block, "b.py\n" + block,
        std::string("*** Begin Patch\n*** Update File: a.py\n@@\n-1\n+2\n"
                    "*** End Patch\n"),
        std::string("--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-1\n+2\n"), block + block}) {
    CAPTURE(body);
    const auto plan = in_tag(body);
    REQUIRE(plan.has_value());
    REQUIRE(plan->changes.size() == 1);
    CHECK(plan->changes[0].path == "src/a.py");
  }
  for (const char* const body : {"x = 1\n", "```python\nx = 1\n```\n", "@@ -1 +1 @@\n-1\n+2\n",
                                 "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-1\n+2\n"}) {
    CAPTURE(body);
    const auto plan = in_tag(body);
    REQUIRE(!plan.has_value());
    CHECK(plan.error().message.find("the <file-edit> at line 1 of the edit") != std::string::npos);
  }
  CHECK(in_tag("")->changes.empty());
  CHECK(in_tag("\n")->changes.empty());
}

TEST_CASE("a block without a path goes to the file of the block before") {
  const EditPlan plan = parsed(
      "a.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\nand\n"
      "<<<<<<< SEARCH\n3\n=======\n4\n>>>>>>> REPLACE\n");
  REQUIRE(plan.changes.size() == 1);
  CHECK(plan.changes[0].hunks.size() == 2);
}

TEST_CASE("an empty SEARCH makes the whole file") {
  const EditPlan plan = parsed("a.py\n<<<<<<< SEARCH\n=======\nx\ny\n>>>>>>> REPLACE\n");
  REQUIRE(plan.changes.size() == 1);
  CHECK(plan.changes[0].kind == FileChange::Kind::overwrite);
  CHECK(plan.changes[0].contents == "x\ny\n");
}

TEST_CASE("a blank SEARCH line makes a new file, but is not all of one that exists") {
  const EditPlan plan = parsed("a.py\n<<<<<<< SEARCH\n\n=======\nx\n>>>>>>> REPLACE\n");
  CHECK(plan.changes.at(0).kind == FileChange::Kind::create);
  CHECK(parsed("a.py\n<<<<<<< SEARCH\n\n=======\n>>>>>>> REPLACE\n").changes.at(0).kind ==
        FileChange::Kind::update);
}

TEST_CASE("Roo's hints and escapes are read") {
  const EditPlan plan = parsed(
      "<<<<<<< SEARCH\n:start_line:12\n:end_line:14\n-------\na\n\\=======\nb\n=======\n"
      "a\n\\=======\nc\n>>>>>>> REPLACE\n",
      Format::roo, "f.py");
  const Hunk& hunk = plan.changes.at(0).hunks.at(0);
  CHECK(hunk.evidence.line == 11);
  CHECK(before(hunk) == "a\n=======\nb\n");
  CHECK(after(hunk) == "a\n=======\nc\n");
  CHECK(hunk.as<SearchReplace>()->alternatives.empty());
}

TEST_CASE("every line of = is a reading of its own, the middle one first") {
  const EditPlan plan =
      parsed("f.rst\n<<<<<<< SEARCH\nTitle\n=====\n=======\nName\n=====\n>>>>>>> REPLACE\n");
  const Hunk& hunk = plan.changes.at(0).hunks.at(0);
  CHECK(before(hunk) == "Title\n=====\n");
  CHECK(after(hunk) == "Name\n=====\n");
  CHECK(hunk.as<SearchReplace>()->alternatives.size() == 2);
}

TEST_CASE("markers in pairs within a block are content") {
  const EditPlan plan = parsed(
      "doc.md\n<<<<<<< SEARCH\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n=======\nz\n"
      ">>>>>>> REPLACE\n");
  const Hunk& hunk = plan.changes.at(0).hunks.at(0);
  bool found = false;
  for (const Hunk& h : hunk.as<SearchReplace>()->alternatives) found = found || after(h) == "z\n";
  CHECK((found || after(hunk) == "z\n"));
}

TEST_CASE("what is cut off is never an edit") {
  CHECK(error_of("a.py\n<<<<<<< SEARCH\n1\n").starts_with("truncated"));
  CHECK(error_of("a.py\n<<<<<<< SEARCH\n1\n=======\n2\n").starts_with("truncated"));
  CHECK(error_of("a.py\n<<<<<<< SEARCH\n1\n=======\n2\n<<<<<<< SEARCH\n3\n=======\n4\n>>>>>>> "
                 "REPLACE\n")
            .starts_with("malformed"));
  CHECK(error_of("*** Begin Patch\n*** Update File: a\n@@\n-a\n+b\n").starts_with("truncated"));
  CHECK(error_of("--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n a\n-b\n+c").starts_with("truncated"));
  CHECK(error_of("f.py\n```python\nx = 1\n", Format::whole).starts_with("truncated"));
}

TEST_CASE("a patch adds, removes, moves and changes files") {
  const EditPlan plan = parsed(
      "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+hi\n+\n+there\n"
      "*** Delete File: old.txt\n*** Update File: a.py\n*** Move to: b.py\n@@ class A\n@@ def f\n"
      " x\n-y\n+z\n\n w\n*** End of File\n*** End Patch\nEOF\n");
  REQUIRE(plan.changes.size() == 3);
  CHECK(plan.changes[0].contents == "hi\n\nthere\n");
  CHECK(plan.changes[1].kind == FileChange::Kind::remove);
  CHECK(plan.changes[2].rename_to == "b.py");
  const Hunk& hunk = plan.changes[2].hunks.at(0);
  CHECK(hunk.evidence.anchors == std::vector<std::string>{"class A", "def f"});
  CHECK(hunk.evidence.at_end_of_file);
  CHECK(before(hunk) == "x\ny\n\nw\n");
  CHECK(after(hunk) == "x\nz\n\nw\n");
}

TEST_CASE("a megabyte of blank lines in a new file is read once") {
  const std::string top = "*** Begin Patch\n*** Add File: a\n", blank(1'000'000, '\n');
  CHECK(parsed(top + blank + "+x\n*** End Patch\n").changes.at(0).contents == blank + "x\n");
  CHECK(parsed(top + "+x\n" + blank + "*** End Patch\n").changes.at(0).contents == "x\n");
}

TEST_CASE("a git diff makes, removes, renames and changes files, whatever its counts say") {
  const EditPlan plan = parsed(
      "Here:\n```diff\ndiff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ "
      "b/n.txt\n"
      "@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n"
      "diff --git a/o.txt b/o.txt\ndeleted file mode 100644\n--- a/o.txt\n+++ /dev/null\n"
      "@@ -1 +0,0 @@\n-gone\n"
      "diff --git a/x.c b/y.c\nsimilarity index 90%\nrename from x.c\nrename to y.c\n"
      "--- a/x.c\n+++ b/y.c\n@@ -3,9 +3,1 @@ int f()\n a\n-b\n+c\n"
      "--- a/z.c\n+++ b/z.c\n@@ ... @@\n--- dashes\n+++ plusses\n```\nBye.\n");
  REQUIRE(plan.changes.size() == 4);
  CHECK(plan.changes[0].kind == FileChange::Kind::create);
  CHECK(plan.changes[0].contents == "one\ntwo");
  CHECK(plan.changes[1].kind == FileChange::Kind::remove);
  CHECK(plan.changes[1].path == "o.txt");
  CHECK(plan.changes[2].rename_to == "y.c");
  CHECK(plan.changes[2].hunks.at(0).evidence.line == 2);
  CHECK(before(plan.changes[3].hunks.at(0)) == "-- dashes\n");
  CHECK(after(plan.changes[3].hunks.at(0)) == "++ plusses\n");
}

TEST_CASE("a whole file stands in a fence, with fences of its own") {
  const EditPlan plan = parsed("readme.md\n```\n# T\n```sh\nls\n```\nend\n```\n");
  REQUIRE(plan.changes.size() == 1);
  CHECK(plan.changes[0].kind == FileChange::Kind::overwrite);
  CHECK(plan.changes[0].contents == "# T\n```sh\nls\n```\nend\n");
}

TEST_CASE("a file that elides is a sketch and overwrites nothing") {
  const EditPlan plan = parsed("a.py\n```python\n# ... existing code ...\nx = 1\n```\n");
  CHECK(plan.changes.at(0).kind == FileChange::Kind::lazy);
  for (const char* line : {"// ... existing code ...", "  # ... rest of the file unchanged", "...",
                           "<!-- ... existing code ... -->", "{/* ... other components ... */}",
                           "-- existing code", "/* [rest of the function remains the same] */"}) {
    CHECK_MESSAGE(is_elision(line), line);
  }
  for (const char* line :
       {"f(...)", "// wait...", "args = [...rest]", "x ...", "// rest", "# existing users"}) {
    CHECK_MESSAGE(!is_sure_elision(line), line);
  }
}

TEST_CASE("several formats in one reply all count, and the rest is prose") {
  const char* reply =
      "I change two files.\n\na.py\n```\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n```\n\n"
      "And a new one:\n\n*** Begin Patch\n*** Add File: b.py\n+x\n*** End Patch\n\nBye.\n";
  CHECK(parsed(reply).changes.size() == 2);
  CHECK(prose_of(reply) == "I change two files.\n\nAnd a new one:\n\nBye.\n");
  CHECK(prose_of("<chat>Hello.</chat>\n<file-edit filePath=\"a\">\n------- SEARCH\n1\n=======\n2\n"
                 "+++++++ REPLACE\n</file-edit>\n") == "Hello.\n");
  CHECK(parsed("Only words, and `code`.\n```python\nprint(1)\n```\n").changes.empty());
}

TEST_CASE("a divider before the end marker is content only where headings are underlined") {
  const char* block = "<<<<<<< SEARCH\na\n=======\nb\n=======\n>>>>>>> REPLACE\n";
  CHECK(after(parsed(std::string("x.py\n") + block).changes.at(0).hunks.at(0)) == "b\n");
  CHECK(parsed(std::string("x.rst\n") + block)
            .changes.at(0)
            .hunks.at(0)
            .as<SearchReplace>()
            ->alternatives.size() == 1);
}
