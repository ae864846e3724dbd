// The region of the file that a run of the sketch belongs to, and the checks it must pass.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "edits/lazy/lazy_runs.h"

namespace bodkin {

struct Run {
  size_t first = 0, last = 0;  // items of the sketch, without the blank ones next to an elision
  bool at_begin = false, at_end = false;
};

struct Region {
  size_t begin = 0, end = 0;  // items of the file
  std::vector<LinePair> pairs;
  size_t removed = 0, added = 0;
  bool is_closed = false;         // it ends with a block that the sketch shows whole
  bool is_below_outline = false;  // it begins below an entry whose head the sketch shows
  size_t cost() const { return removed + added; }
};

// Removed lines must be meant to be removed, and added lines must not be ones that an elision
// keeps.
FailureOr<void> check_region(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                             const Run& run, const Region& region, size_t from,
                             const std::vector<char>& is_new);

// The diff of the run and the file's items [begin, end), common ends first. `cells` counts the
// cells of all tables of the level; nullopt if they would be too many.
std::optional<Region> diff_region(const std::vector<LazyLine>& sketch,
                                  const std::vector<LazyLine>& file, const Run& run, size_t begin,
                                  size_t end, size_t& cells);

// True if one line is the other with more words: "await", an argument.
bool is_same_statement(const LazyLine& ours, const LazyLine& theirs);

// New lines at the ends of the run that are the file's next ones there, changed, replace them:
// `inner` is the run without the remaining new lines, and the region grows.
void take_changed_ends(const std::vector<LazyLine>& sketch, const std::vector<LazyLine>& file,
                       const Run& run, const std::vector<char>& is_new,
                       const std::function<size_t(int key)>& count, size_t from, Run& inner,
                       Region& region);

// "color: red", "serde = 1": the key that such a line sets, for any value; else empty.
std::string_view key_in(std::string_view line);

// Leaves only those begins and ends of a region, both ascending, that are near each other.
void keep_nearest(std::vector<size_t>& begins, std::vector<size_t>& ends);

}  // namespace bodkin
