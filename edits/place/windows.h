// Windows: where a run of lines may be in a file even though some of them differ.
#pragma once

#include <cstddef>
#include <vector>

#include "edits/place/parts_of_lines.h"

namespace bodkin {

struct VotedPlace {
  long first = 0;    // the file's line of the first old line; may lie before the file
  size_t equal = 0;  // how many old lines voted for it: equal except for whitespace, and rare
};

// The windows that the old lines vote for, most votes first, at most 256. Lines that are in more
// than 64 places have no vote.
std::vector<VotedPlace> likely_windows(const Search& search);

}  // namespace bodkin
