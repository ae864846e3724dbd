// Unified diffs by their numbers and headings.
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

TEST_CASE("lines are not added at a number where the other numbers are wrong") {
  const std::string moved = "new\n" + std::string(kOld);
  CHECK(after("--- f.txt\n+++ f.txt\n@@ -2 +2 @@\n-b\n+B\n@@ -5,0 +6 @@\n+x\n", moved) ==
        "not_found");
  // Its header speaks of old lines that are not there.
  CHECK(after("--- f.txt\n+++ f.txt\n@@ -5,2 +5,3 @@\n+x\n", kOld) == "truncated");
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
