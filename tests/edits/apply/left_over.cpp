// What was meant as an edit is never dropped as prose while the rest of the reply is applied.
#include <doctest/doctest.h>

#include "edits/formats/parse.h"

using namespace bodkin;

namespace {

constexpr std::string_view kGood = "a.py\n<<<<<<< SEARCH\n1\n=======\n2\n>>>>>>> REPLACE\n\n";

std::string error_of(std::string_view reply, Format format = Format::automatic) {
  const auto plan = parse_edits(reply, {format, "", false});
  return plan ? "" : for_model(plan.error());
}

}  // namespace

TEST_CASE("a block whose markers are short is a block") {
  for (const char* block :
       {"--- SEARCH\n3\n=======\n4\n+++ REPLACE\n", "<<< SEARCH\n3\n===\n4\n>>> REPLACE\n",
        "<<<< SEARCH\n3\n====\n4\n>>>>>>> REPLACE\n"}) {
    CAPTURE(block);
    const auto plan = parse_edits(std::string(kGood) + block, {});
    REQUIRE(plan.has_value());
    REQUIRE(plan->changes.size() == 1);
    CHECK(plan->changes[0].hunks.size() == 2);
  }
}

TEST_CASE("a line of three = is content where a block has a divider") {
  const auto plan =
      parse_edits("f.rst\n<<<<<<< SEARCH\nABC\n===\n=======\nXYZ\n===\n>>>>>>> REPLACE\n", {});
  REQUIRE(plan.has_value());
  const Hunk& hunk = plan->changes.at(0).hunks.at(0);
  CHECK(hunk.as<SearchReplace>()->alternatives.empty());
  CHECK(hunk.lines.size() == 3);
}

TEST_CASE("what looks like a part of an edit and is none makes the reply malformed") {
  const char* parts[] = {
      "<< SEARCH\n3\n=======\n4\n>> REPLACE\n",
      "<<<<<<< SEARCH b.py\n3\n=======\n4\n>>>>>>> REPLACE\n",
      "<<<<<<< ORIGINAL\n3\n=======\n4\n>>>>>>> UPDATED\n",
      "3\n=======\n4\n>>>>>>> REPLACE\n",
      "*** Modify File: b.py\n@@\n-3\n+4\n",
      "*** Move to: b.py\n",
      "```diff\n@@ -1 +1 @@\n-3\n+4\n```\n",
      "- Then:\n\n  --- a/b.py\n  +++ b/b.py\n  @@ -1 +1 @@\n  -3\n  +4\n",
      "--- a/b.py\n+++ b/b.py\n-3\n+4\n",
      "--- /dev/null\n+++ b/b.py\n+4\n",
      "diff --git a/b.py b/b.py\nindex 1234567..89abcde 100644\n",
      "--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-3\n+4\nunprefixed\n+5\n",
      "b.py\n```diff\n-3\n+4\nand so on\n```\n",
  };
  for (const std::string part : parts) {
    const std::string error = error_of(std::string(kGood) + part);
    CAPTURE(part);
    CAPTURE(error);
    CHECK((error.starts_with("malformed: ") || error.starts_with("truncated: ")));
  }
}

TEST_CASE("an opened fence at the end of a reply with edits says that it was cut off") {
  CHECK(error_of(std::string(kGood) + "Then:\n```python\nx = 1\n").starts_with("truncated: "));
  CHECK(error_of("Then:\n```python\nx = 1\n") == "");
}

TEST_CASE("a marker without its half in a block is malformed, not content") {
  CHECK(error_of("a.py\n<<<<<<< SEARCH\n1\n=======\n2\n<<<<<<< SEARCH b.py\n3\n=======\n4\n"
                 ">>>>>>> REPLACE\n")
            .starts_with("malformed: line 6 "));
  CHECK(error_of("a.py\n<<<<<<< SEARCH\n1\n=======\n2\n<<< SEARCH\n3\n=======\n4\n"
                 ">>>>>>> REPLACE\n")
            .starts_with("malformed: "));
}

TEST_CASE("a fence within a file is text if it is shorter or indented deeper") {
  for (const char* whole : {"b.py\n````python\n```sh\nls\n```\nx\n````\n",
                            "b.py\n```python\n  ```\n  x\n  ```\nx\n```\n"}) {
    CAPTURE(whole);
    const auto plan = parse_edits(whole, {Format::whole, "", false});
    REQUIRE(plan.has_value());
    REQUIRE(plan->changes.size() == 1);
    CHECK(plan->changes[0].contents.ends_with("```\nx\n"));
  }
}

TEST_CASE("a fence line that a diff keeps does not end the diff") {
  const auto plan = parse_edits(
      "```diff\n--- a/r.md\n+++ b/r.md\n@@ -1,4 +1,4 @@\n-a\n+b\n ```\n-c\n+d\n ```\n```\n", {});
  REQUIRE(plan.has_value());
  CHECK(plan->changes.at(0).hunks.at(0).lines.size() == 6);
}

TEST_CASE("prose that only resembles an edit stays prose") {
  for (const char* prose : {"Title\n=====\n\n---\n\n- SEARCH the file\n- REPLACE it\n",
                            "```\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n```\n",
                            "**Add File** is what you want.\n\n***\n", "> quoted\n\n5c5\n",
                            "Use `@@ -1 +1 @@` there.\n",
                            "r.md\n```\nA\n```\n\ns.md\n```\nB\n```\n", "--- old\n\n+++ new\n"}) {
    CAPTURE(prose);
    CHECK(error_of(std::string(kGood) + prose) == "");
  }
}
