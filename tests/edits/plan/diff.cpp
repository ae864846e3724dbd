#include "edits/plan/diff.h"

#include <doctest/doctest.h>

#include <random>

namespace bodkin {
namespace {

TEST_CASE("changed_lines makes the new text of the old, whatever they are") {
  std::mt19937 random(5);
  const auto some = [&] {
    std::string text;
    for (size_t i = random() % 12; i > 0; --i) text += std::string(1, 'a' + random() % 3) + "\n";
    if (random() % 3 == 0) text += "end";
    return text;
  };
  for (int i = 0; i < 3000; ++i) {
    const Text before(some()), after(some());
    Text made = before;
    const auto changes = changed_lines(before, after);
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
      made = made.replace(change->offset, change->length, change->text);
    }
    REQUIRE(made.str() == after.str());
  }
}

std::string made_of(const Text& before, const std::vector<Replacement>& changes) {
  Text made = before;
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    made = made.replace(change->offset, change->length, change->text);
  return made.str();
}

TEST_CASE("distant changes of a long text stay apart") {
  std::string old_text, new_text;
  for (int i = 0; i < 30'000; ++i) {
    const std::string line = "line " + std::to_string(i) + "\n";
    old_text += line + "}\n";  // which stands everywhere
    if (i == 20'000) continue;
    new_text += (i == 10 || i == 29'990 ? "other " + line : line) + "}\n";
  }
  const auto changes = changed_lines(Text(old_text), Text(new_text));
  CHECK(changes.size() == 3);
  CHECK(made_of(Text(old_text), changes) == new_text);
}

TEST_CASE("a long text with lines moved, doubled and lost is made of the old one") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> lines;
    for (int i = 0; i < 6'000; ++i)
      lines.push_back(std::to_string(random() % (round < 10 ? 5'000 : 50)) + "\n");
    std::string old_text, new_text;
    for (const std::string& line : lines) old_text += line;
    for (int i = 0; i < 500; ++i) std::swap(lines[random() % 6'000], lines[random() % 6'000]);
    for (const std::string& line : lines)
      for (unsigned copies = random() % 40 == 0 ? random() % 3 : 1; copies > 0; --copies)
        new_text += line;
    const auto changes = changed_lines(Text(old_text), Text(new_text));
    REQUIRE(made_of(Text(old_text), changes) == new_text);
  }
}

TEST_CASE("lines that may as well be next to another change are part of it") {
  const auto changes = [](std::string before, std::string after) {
    std::string shown;
    for (const Replacement& each : changed_lines(Text(std::move(before)), Text(std::move(after))))
      shown += std::to_string(each.offset) + "-" + std::to_string(each.length) + "+" + each.text;
    return shown;
  };
  // The last line is another change, so that the first is not all that differs.
  CHECK(changes("doc\n\n\ndef\n1\n", "doc\n\nimport\n\n\ndef\n2\n") == "5-0+import\n\n10-2+2\n");
  CHECK(changes("doc\n\nimport\n\n\ndef\n2\n", "doc\n\n\ndef\n1\n") == "5-8+18-2+1\n");
  CHECK(changes("a\n}\nb\n1\n", "c\n}\n}\nb\n2\n") == "0-2+c\n}\n6-2+2\n");
  CHECK(changes("a\n}\n1\nb\n", "x\na\n}\n}\n2\nb\n") == "0-0+x\n4-2+}\n2\n");
  // What they pass is other lines.
  CHECK(changes("a\nb\nc\n1\n", "x\na\ny\nb\nc\n2\n") == "0-0+x\n2-0+y\n6-2+2\n");
}

TEST_CASE("changes that are up to twice the context apart share a hunk of a unified diff") {
  const auto hunks = [](std::string_view after) {
    const Text old("1\n2\n3\n4\n5\n6\n7\n8\n9\n"), now{std::string(after)};
    const std::string diff = unified_diff("a", "b", &old, &now, 2);
    size_t count = 0;
    for (size_t at = diff.find("@@ -"); at != diff.npos; at = diff.find("@@ -", at + 1)) ++count;
    return count;
  };
  CHECK(hunks("1\nx\n3\n4\n5\n6\ny\n8\n9\n") == 1);
  CHECK(hunks("1\nx\n3\n4\n5\n6\n7\ny\n9\n") == 2);
  CHECK(hunks("1\nx\n3\n4\ny\n6\n7\nz\n9\n") == 1);
}

}  // namespace
}  // namespace bodkin
