// Context and normal diffs, and scripts for ed and RCS.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "edits/apply/apply.h"
#include "edits/formats/parse.h"

using namespace bodkin;

namespace {

class OneFile : public Files {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  std::optional<Text> read(std::string_view path) const override {
    if (path != "f.txt") return std::nullopt;
    return text_;
  }
  std::vector<std::string> paths() const override { return {"f.txt"}; }

 private:
  Text text_;
};

// f.txt after the reply, or the kind of the refusal.
std::string after(std::string_view reply, const std::string& file,
                  Format format = Format::automatic, std::string_view path = "f.txt") {
  const auto plan = parse_edits(reply, {format, std::string(path), false});
  if (!plan) return std::string(name_of(plan.error().kind));
  if (plan->changes.empty()) return "no edit";
  const ApplyReport report = apply(*plan, OneFile(file), nullptr, {});
  if (!report.ok) return std::string(name_of(report.failure->kind));
  if (report.files.empty()) return file;
  return report.files[0].after ? report.files[0].after->str() : "removed";
}

const char* const kOld = "a\nb\nc\nd\ne\nf\ng\n";

}  // namespace

TEST_CASE(
    "a context diff is read in a fence, with its paths, and without the side that is left out") {
  const char* body =
      "*** a/f.txt\t2024-05-01 10:00:00\n--- b/f.txt\t2024-05-01 10:00:00\n"
      "***************\n*** 1,7 ****\n  a\n! b\n  c\n- d\n  e\n  f\n  g\n"
      "--- 1,8 ----\n  a\n! B\n  c\n  e\n+ x\n+ y\n  f\n  g\n";
  const char* want = "a\nB\nc\ne\nx\ny\nf\ng\n";
  CHECK(after(body, kOld, Format::automatic, "") == want);
  CHECK(after("Here:\n```diff\n" + std::string(body) + "```\nDone.\n", kOld) == want);
  CHECK(after(body, kOld, Format::context_diff) == want);
  CHECK(after("***************\n*** 2,3 ****\n--- 2,4 ----\n  b\n+ x\n  c\n", kOld) ==
        "a\nb\nx\nc\nd\ne\nf\ng\n");
  CHECK(after("***************\n*** 2,4 ****\n  b\n- c\n  d\n--- 2,3 ----\n", kOld) ==
        "a\nb\nd\ne\nf\ng\n");
}

TEST_CASE("a context diff makes and removes files, and says how they end") {
  CHECK(after("*** f.txt\n--- /dev/null\n***************\n*** 1 ****\n- a\n--- 0 ----\n", "a\n") ==
        "removed");
  const auto plan = parse_edits(
      "*** /dev/null\n--- n.txt\n***************\n*** 0 ****\n--- 1,2 ----\n+ x\n+ y\n"
      "\\ No newline at end of file\n",
      {});
  REQUIRE(plan);
  CHECK(plan->changes.at(0).kind == FileChange::Kind::create);
  CHECK(plan->changes.at(0).contents == "x\ny");
  CHECK(after("***************\n*** 1,2 ****\n  a\n! b\n--- 1,2 ----\n  a\n! c\n"
              "\\ No newline at end of file\n",
              "a\nb\n") == "a\nc");
}

TEST_CASE("a context diff whose ranges are wrong is placed by its text") {
  CHECK(after("***************\n*** 40,41 ****\n! e\n--- 40,47 ----\n! E\n", kOld) == "truncated");
  CHECK(after("```diff\n***************\n*** 40,41 ****\n! e\n--- 40,47 ----\n! E\n```\n", kOld) ==
        "a\nb\nc\nd\nE\nf\ng\n");
  CHECK(after("***************\n*** 4,4 ****\n! e\n--- 4,4 ----\n  f\n", kOld) == "malformed");
}

TEST_CASE("a normal diff is read with the name above it") {
  const char* body = "2c2,3\n< b\n---\n> B\n> bb\n4d4\n< d\n6a7\n> x\n";
  const char* want = "a\nB\nbb\nc\ne\nf\nx\ng\n";
  for (const char* top : {"", "diff a/f.txt b/f.txt\n", "Index: f.txt\n", "`f.txt`:\n```diff\n"}) {
    CAPTURE(top);
    CHECK(after(top + std::string(body), kOld) == want);
  }
  CHECK(after("Like this:\n" + std::string(body), kOld, Format::automatic, "") == "malformed");
  CHECK(after("2c2\n< b\n---\n> B\n\\ No newline at end of file\n", "a\nb\n") == "a\nB");
  CHECK(after("2c2\n< b\n\\ No newline at end of file\n---\n> B\n", "a\nb") == "a\nB\n");
  // The old text is not there: the number alone places nothing.
  CHECK(after("2c2\n< zebra crossing\n---\n> B\n", kOld) == "not_found");
}

TEST_CASE("a context diff that lost a line is malformed") {
  CHECK(after("***************\n*** 2,4 ****\n  b\n! c\n--- 2,4 ----\n  b\n! C\n  d\n", kOld) ==
        "malformed");
  CHECK(after("***************\n*** 2 ****\n! b\n--- 2 ----\n! B\n***************\n", kOld) ==
        "truncated");
}

TEST_CASE("a context diff that is cut off within its last line is truncated") {
  CHECK(after("***************\n*** 2,3 ****\n! b\n  c\n--- 2,3 ----\n! B\n  ", kOld) ==
        "truncated");
}

TEST_CASE("a normal diff that lost a line is malformed") {
  for (const char* lost : {"2,3c2\n< b\n---\n> B\n5d4\n< e\n", "2c2,3\n< b\n---\n> B\n5d5\n< e\n",
                           "5d4\n< e\n< f\n---\n> F\n", "5d4\n< e\n6c5\n---\n> F\n"}) {
    CAPTURE(lost);
    CHECK(after(lost, kOld, Format::normal_diff) == "malformed");
  }
}

TEST_CASE("lines are not added at a number where the other numbers are wrong") {
  const std::string moved = "new\n" + std::string(kOld);
  CHECK(after("2c2\n< b\n---\n> B\n5a6\n> x\n", moved) == "not_found");
  CHECK(after("--- f.txt\n+++ f.txt\n@@ -2 +2 @@\n-b\n+B\n@@ -5,0 +6 @@\n+x\n", moved) ==
        "not_found");
  // Its header speaks of old lines that are not there.
  CHECK(after("--- f.txt\n+++ f.txt\n@@ -5,2 +5,3 @@\n+x\n", kOld) == "not_found");
}

TEST_CASE("a number that is off does not outweigh the heading that names the function") {
  const char* file = "def a():\n    x\n    go()\n\ndef b():\n    y\n    go()\n";
  const auto at = [&](const std::string& header) {
    return after("--- f.txt\n+++ f.txt\n@@ " + header + "\n-    go()\n+    stop()\n", file);
  };
  const std::string first = "def a():\n    x\n    stop()\n\ndef b():\n    y\n    go()\n",
                    second = "def a():\n    x\n    go()\n\ndef b():\n    y\n    stop()\n";
  CHECK(at("-2 +2 @@") == first);
  CHECK(at("-2 +2 @@ def a():") == first);
  CHECK(at("-2 +2 @@ def b():") == "ambiguous");
  CHECK(at("-5 +5 @@ def b():") == second);
  CHECK(at("-7 +7 @@ def a():") == second);
}

TEST_CASE("what git writes below a mail is no part of the diff") {
  const std::string mail =
      "Subject: [PATCH] x\n\n---\n f.txt | 2 +-\n\ndiff --git a/f.txt b/f.txt\nindex 1..2 100644\n"
      "--- a/f.txt\n+++ b/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n-- \n2.39.2\n\n";
  CHECK(after(mail, kOld) == "a\nB\nc\nd\ne\nf\ng\n");
}

TEST_CASE("an ed script goes from the bottom up, or keeps the number of lines") {
  CHECK(after("6c\nF\n.\n4,5d\n2a\nx\ny\n.\n0a\ntop\n.\nw\nq\n", kOld) ==
        "top\na\nb\nx\ny\nc\nF\ng\n");
  CHECK(after("2c\nB\n.\n6c\nF\n.\n", kOld) == "a\nB\nc\nd\ne\nF\ng\n");
  CHECK(after("2d\n6c\nF\n.\n", kOld, Format::ed) == "malformed");
  CHECK(after("3i\nx\n.\n", kOld) == "a\nb\nx\nc\nd\ne\nf\ng\n");
  CHECK(after("$a\nz\n.\n", kOld) == "a\nb\nc\nd\ne\nf\ng\nz\n");
  CHECK(after("9d\n", kOld) == "not_found");
  CHECK(after("6c\nF\n2d\n.\n", kOld, Format::ed) == "malformed");
  // Two commands name line 3, though the first leaves it as it is.
  CHECK(after("2,3c\nB\nc\n.\n3c\nC\n.\n", kOld, Format::ed) == "conflict");
  // diff -e writes a line that is a dot like this.
  CHECK(after("2c\nx\n..\n.\ns/.//\na\ny\n.\n", kOld) == "a\nx\n.\ny\nc\nd\ne\nf\ng\n");
}

TEST_CASE("an ed script is found where nothing else can be meant") {
  const char* script = "6c\nF\n.\n2d\n";
  const char* want = "a\nc\nd\ne\nF\ng\n";
  for (const std::string& reply :
       {"f.txt\n" + std::string(script), "f.txt\n```ed\n" + std::string(script) + "```\n",
        "Now `f.txt`, in ed:\n\nf.txt\n```diff\n" + std::string(script) + "```\nDone.\n",
        "Run this:\n```sh\ned -s f.txt <<'EOF'\n" + std::string(script) + "w\nq\nEOF\n```\n"}) {
    CAPTURE(reply);
    CHECK(after(reply, kOld, Format::automatic, "") == want);
  }
  CHECK(after("Chapter\n2d\nis about depth.\n", kOld) == "no edit");
  CHECK(after("f.txt\n```ed\n2c\nx\n", kOld) == "truncated");
  CHECK(after("2c\nx\n", kOld, Format::ed) == "truncated");
  CHECK(after("2z\n", kOld, Format::ed) == "malformed");
  CHECK(after("2d\n", kOld, Format::ed, "") == "malformed");
  // A script that only writes and quits.
  CHECK(after("w\nq\n", kOld, Format::ed) == "no edit");
  CHECK(after("Look:\n```sh\ned -s f.txt <<'EOF'\nw\nq\nEOF\n```\n", kOld) == "no edit");
}

TEST_CASE("an RCS diff counts lines of the old file, and its counts are exact") {
  const char* script = "d2 1\na2 2\nB\nd2 1\nd4 2\na7 1\nz\n";
  const char* want = "a\nB\nd2 1\nc\nf\ng\nz\n";
  CHECK(after(script, kOld) == want);
  CHECK(after(script, kOld, Format::rcs) == want);
  CHECK(after("f.txt\n```rcs\n" + std::string(script) + "```\n", kOld) == want);
  CHECK(after("d2 1\na2 3\nB\n", kOld, Format::rcs) == "truncated");
  CHECK(after("d2 1\nwords\n", kOld, Format::rcs) == "malformed");
  CHECK(after("d7 2\n", kOld, Format::rcs) == "not_found");
  CHECK(after("a2 2\nB\nd4 1\n", kOld, Format::rcs) == "malformed");
  CHECK(after("a2 1\nB\n\nd4 1\n", kOld, Format::rcs) == "malformed");
}
