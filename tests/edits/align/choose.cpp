// Which of several places a hunk means, by the other hunks.
#include "edits/align/choose.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace bodkin;

namespace {

// The chosen line of each hunk, -1 where it stays open. Each hunk is given by the lines it may be
// at; the hunks are of a diff, or blocks.
std::vector<int> chosen(const std::vector<std::vector<size_t>>& lines, bool is_diff,
                        bool are_equal = false) {
  std::vector<Hunk> hunks(lines.size());
  std::vector<Placed> placed;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (is_diff) hunks[i].format = DiffHunk{};
    hunks[i].lines = {{HunkLine::Kind::removed, are_equal ? "same" : "line " + std::to_string(i)}};
    Placed& one = placed.emplace_back();
    one.hunk = &hunks[i];
    for (const size_t line : lines[i]) {
      Place place;
      place.first = line, place.last = line + 1;
      one.places.push_back(place);
    }
  }
  choose_among_places(placed);
  std::vector<int> out;
  for (const Placed& one : placed)
    out.push_back(one.certain() ? static_cast<int>(one.certain()->first) : -1);
  return out;
}

using Lines = std::vector<int>;

}  // namespace

TEST_CASE("the hunks of a diff are in order") {
  CHECK(chosen({{5}, {2, 8}}, true) == Lines{5, 8});
  CHECK(chosen({{2, 8}, {5}}, true) == Lines{2, 5});
  CHECK(chosen({{1}, {3, 9}, {4, 10}, {7}}, true) == Lines{1, 3, 4, 7});
  CHECK(chosen({{1}, {3, 5}, {9}}, true) == Lines{1, -1, 9});
  CHECK(chosen({{9}, {2, 5}}, true) == Lines{9, -1});
}

TEST_CASE("blocks are in order only between two that are placed") {
  CHECK(chosen({{5}, {2, 8}}, false) == Lines{5, -1});
  CHECK(chosen({{2, 8}, {5}}, false) == Lines{-1, 5});
  CHECK(chosen({{1}, {3, 9}, {7}}, false) == Lines{1, 3, 7});
  CHECK(chosen({{7}, {3, 9}, {1}}, false) == Lines{7, -1, 1});
}

TEST_CASE("equal hunks take one place each, if there are as many") {
  CHECK(chosen({{2, 8}, {2, 8}}, false, true) == Lines{2, 8});
  CHECK(chosen({{2, 5, 8}, {2, 5, 8}}, false, true) == Lines{-1, -1});
}
