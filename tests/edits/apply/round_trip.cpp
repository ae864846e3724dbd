// What is written in a format is read as it was meant: parse(print(plan)) = plan.
#include <doctest/doctest.h>

#include <random>

#include "edits/formats/parse.h"
#include "edits/plan/diff.h"

using namespace bodkin;
using Kind = HunkLine::Kind;

namespace {

class Plans {
 public:
  explicit Plans(unsigned seed) : random_(seed) {}

  EditPlan plan() {
    EditPlan plan;
    const size_t files = 1 + random_() % 3;
    for (size_t i = 0; i < files; ++i) {
      FileChange change;
      change.path = "dir/file" + std::to_string(i) + ".py";
      const size_t hunks = 1 + random_() % 3;
      for (size_t h = 0; h < hunks; ++h) change.hunks.push_back(hunk());
      plan.changes.push_back(std::move(change));
    }
    return plan;
  }

 private:
  std::string line() {
    static const char* const kLines[] = {
        "x = 1;",  "",      "    }", "# --- x",  "-- dash",   "++ plus",     "@ at",
        "\ttab  ", "a * b", "=====", "* star *", "<b>\"\\n'", "über — naïve"};
    return kLines[random_() % std::size(kLines)] +
           (random_() % 2 ? std::to_string(random_() % 50) : "");
  }

  // Its lines are those that the diff of its two sides gives, with no doubt about their order.
  Hunk hunk() {
    Hunk hunk;
    std::vector<std::string> before, after;
    const size_t size = 2 + random_() % 8;
    for (size_t i = 0; i < size; ++i) {
      const std::string text = line();
      const size_t kind = random_() % 4;
      if (kind != 1) before.push_back(text);
      if (kind != 2) after.push_back(text);
    }
    before.insert(before.begin(), "first");
    after.insert(after.begin(), "first");
    before.push_back("removed");
    after.push_back("added");
    hunk.lines = line_diff(before, after);
    hunk.evidence.line = random_() % 100;
    return hunk;
  }

  std::mt19937 random_;
};

size_t count(const Hunk& hunk, Kind without) {
  size_t n = 0;
  for (const HunkLine& line : hunk.lines) n += line.kind != without;
  return n;
}

std::string half(const Hunk& hunk, Kind without) {
  std::string text;
  for (const HunkLine& line : hunk.lines) {
    if (line.kind != without) text += line.text + "\n";
  }
  return text;
}

std::string diff_lines(const Hunk& hunk) {
  std::string text;
  for (const HunkLine& line : hunk.lines) {
    text += line.kind == Kind::context ? ' ' : line.kind == Kind::removed ? '-' : '+';
    text += line.text + "\n";
  }
  return text;
}

std::string as_blocks(const FileChange& change, const Hunk& hunk) {
  return change.path + "\n<<<<<<< SEARCH\n:start_line:" + std::to_string(*hunk.evidence.line + 1) +
         "\n-------\n" + half(hunk, Kind::added) + "=======\n" + half(hunk, Kind::removed) +
         ">>>>>>> REPLACE\n";
}

std::string as_patch(const FileChange& change) {
  std::string text = "*** Update File: " + change.path + "\n";
  for (const Hunk& hunk : change.hunks) {
    text += "@@ -" + std::to_string(*hunk.evidence.line + 1) + ",1 +1,1 @@\n" + diff_lines(hunk);
  }
  return text;
}

std::string as_unified(const FileChange& change) {
  std::string text = "--- a/" + change.path + "\n+++ b/" + change.path + "\n";
  for (const Hunk& hunk : change.hunks) {
    text += "@@ -" + std::to_string(*hunk.evidence.line + 1) + "," +
            std::to_string(count(hunk, Kind::added)) + " +1," +
            std::to_string(count(hunk, Kind::removed)) + " @@\n" + diff_lines(hunk);
  }
  return text;
}

void check_same(const EditPlan& want, const std::string& text, Format format) {
  CAPTURE(text);
  const auto plan = parse_edits(text, {format, "", false});
  REQUIRE_MESSAGE(plan.has_value(), (plan ? "" : plan.error().message));
  REQUIRE(plan->changes.size() == want.changes.size());
  for (size_t i = 0; i < want.changes.size(); ++i) {
    const FileChange &a = plan->changes[i], &b = want.changes[i];
    CHECK(a.path == b.path);
    REQUIRE(a.hunks.size() == b.hunks.size());
    for (size_t h = 0; h < a.hunks.size(); ++h) {
      CHECK(a.hunks[h].lines == b.hunks[h].lines);
      CHECK(a.hunks[h].evidence.line == b.hunks[h].evidence.line);
      const auto* block = a.hunks[h].as<SearchReplace>();
      CHECK((!block || block->alternatives.empty()));
    }
  }
}

}  // namespace

TEST_CASE("a plan that is printed is read as the same plan") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    const EditPlan plan = Plans(seed).plan();
    std::string blocks = "I change this.\n\n", patch = "*** Begin Patch\n", unified;
    bool dividers = false;  // a line of '=' has several readings (tests/edits/formats/parse.cpp)
    for (const FileChange& change : plan.changes) {
      for (const Hunk& hunk : change.hunks) {
        blocks += as_blocks(change, hunk) + "\n";
        for (const HunkLine& line : hunk.lines) dividers = dividers || line.text == "=====";
      }
      patch += as_patch(change);
      unified += as_unified(change);
    }
    patch += "*** End Patch\n";
    for (const bool named : {false, true}) {
      if (!dividers) check_same(plan, blocks, named ? Format::roo : Format::automatic);
      check_same(plan, patch, named ? Format::patch : Format::automatic);
      check_same(plan, unified, named ? Format::unified : Format::automatic);
    }
  }
}
