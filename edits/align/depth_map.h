// A map learned from the aligned pairs and applied to new lines: the depth in the file for a depth
// in the quote (the other one: spelling.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/mapped_text.h"

namespace bodkin {

// A quoted line's indentation and the file's, and the row of the reading that it is.
struct DepthPair {
  size_t row = 0;
  std::string_view quoted, ours;
};

// Depth is a relation, not a function: pairs above a new line come before pairs below it, and where
// the two disagree the depth is unknown. A depth that no line was quoted at is continued from the
// nearest one, step for step.
class DepthMap {
 public:
  // `quote`: the lines of the quote whose depths the pairs have.
  DepthMap(std::vector<DepthPair> pairs, const std::vector<std::string_view>& quote,
           const MappedText& file);

  // The file's indentation for a new line at `row` that is quoted with `indentation`. Nullopt if it
  // follows from no quoted line.
  std::optional<std::string> of(std::string_view indentation, size_t row) const;

 private:
  struct Rate {  // so many of the file's columns for so many quoted ones
    size_t ours = 1, quoted = 1;
  };
  std::optional<Rate> rate_of(const std::vector<std::string_view>& quote,
                              const MappedText& file) const;
  std::optional<std::string> scaled(std::string_view rest) const;

  std::vector<DepthPair> pairs_;
  bool moved_ = false, from_tabs_ = false, to_tabs_ = false, first_lacks_ = false;
  std::optional<Rate> rate_;
};

}  // namespace bodkin
