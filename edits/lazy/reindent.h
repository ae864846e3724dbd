// Reindent: adapts the indentation of added lines to the file.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// True if a place of this quality may have a different indentation than the quote.
bool changes_indentation(MatchQuality quality);

// Lines inside a literal of several lines (edits/text/literals.h) do not move with the code if its
// old lines do not; where it has none, if one of them is no deeper than the line on which it opens.
//
// By the old lines in its place or beside it, if they have the same indentation; by the matched old
// line that has it, nearest first; else based on the deepest matched line whose indentation is a
// prefix of the added line's, plus the difference, level by level if the two sides use different
// units; else based on how much less it has than the nearest. Views into the file and the hunk:
// both must outlive it.
class Reindent {
 public:
  Reindent(const MappedText& file, const Hunk& hunk, const Place& place);

  // True if the file has no tabs, this line has some, and the hunk quotes no indented line. Then
  // even an exact place does not show that the model knows the file's whitespace.
  static bool introduces_tabs(const MappedText& file, const Hunk& hunk, std::string_view line);

  // `index`: of the line in the hunk.
  std::string operator()(size_t index, std::string_view line) const;

 private:
  struct Pair {
    size_t index;  // of the hunk's line
    std::string_view theirs, ours;
  };
  static long shift(const Pair& pair);  // in columns, from theirs to ours
  std::optional<std::string_view> of_neighbours(size_t index, std::string_view line) const;
  void find_literals(const Hunk& hunk);
  void move_literals();
  bool is_verbatim(size_t index, std::string_view line) const;
  void drop_outliers(const Hunk& hunk);
  bool is_prefix_missing(const Hunk& hunk) const;
  bool detect_indent_scale(const Hunk& hunk);
  void detect_flattened_quote(const Hunk& hunk);
  std::string converted(std::string_view indentation) const;

  const MappedText& file_;
  const Hunk& hunk_;
  std::vector<Pair> pairs_, all_pairs_;  // all: with those that say nothing of levels
  std::vector<std::string_view>
      staying_;                      // where literals open that are not indented like the code
  std::vector<Pair> literal_pairs_;  // of lines inside literals
  std::vector<std::string_view>
      opening_of_;  // of each line of the hunk in a literal: where it opens
  bool theirs_tabs_ = false, ours_tabs_ = false;
  bool missing_prefix_ = false;
  bool first_is_odd_ = false;  // only the quote's first line lost its indentation
  // The old half lost all indentation, and the new half only what all of its lines have.
  bool is_flat_ = false;
  std::string_view flat_theirs_,
      flat_ours_;    // the smallest indentation of the new half, and of the file
  size_t unit_ = 0;  // one level, in spaces
  // Blanks of a level in the quote and in the file, where these differ; else 0.
  size_t quoted_unit_ = 0, file_unit_ = 0;
};

}  // namespace bodkin
