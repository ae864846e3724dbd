// Adapts whitespace inside new lines where the quote's differs from the file's.
//
// A model that quotes "a b c" for "a<TAB>b<TAB>c" has not seen the tabs, and will not write them in
// its new lines either. Between words that stay, or in a line of as many words, what the file has
// there is what was meant: tabs always; spaces only inside a multi-line string, because elsewhere
// they align code, which is up to the model.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

class Respace {
 public:
  Respace(const MappedText& file, const Hunk& hunk, const Place& place);

  // `index`: of the added line in the hunk.
  std::string operator()(size_t index, std::string_view line) const;

 private:
  struct Pair {
    size_t index;  // of the hunk's old line
    std::string_view theirs, ours;
  };
  std::vector<Pair> pairs_;  // lines whose inner whitespace differs in a significant place
};

}  // namespace bodkin
