// Reindent: how the added lines' indentation becomes the file's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/match.h"

namespace bodkin {

// By the matched old line that has the same indentation, nearest first; else by the deepest one
// that the added line's continues, and the difference, tabs for blanks where the two sides differ
// in kind; else without what all old lines have too much. Views into the file and the hunk: both must outlive it.
class Reindent {
 public:
  Reindent(const MappedText& file, const Hunk& hunk, const Place& place);

  // Has the file no tabs, and this line some? Then even an exact place does not make it fit.
  static bool is_foreign(const MappedText& file, const Hunk& hunk, std::string_view line);

  // `index`: of the line in the hunk.
  std::string operator()(size_t index, std::string_view line) const;

 private:
  struct Pair {
    size_t index;  // of the hunk's line
    std::string_view theirs, ours;
  };
  static long shift(const Pair& pair);  // in columns, from theirs to ours
  void drop_odd_lines(const Hunk& hunk);
  bool is_prefix_missing(const Hunk& hunk) const;
  std::string converted(std::string_view indentation) const;

  const MappedText& file_;
  std::vector<Pair> pairs_;
  std::string_view extra_;  // what stands before the file's indentation in each of the hunk's lines
  bool theirs_tabs_ = false, ours_tabs_ = false;
  bool missing_prefix_ = false;
  bool first_is_odd_ = false;  // only the quote's first line lost its indentation
  size_t unit_ = 0;  // one level in blanks
};

}  // namespace bodkin
