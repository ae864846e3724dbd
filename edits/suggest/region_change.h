// Region changes: what a region that a model rewrote really changes in the file. Models that
// predict edits repeat the lines around the cursor. They begin a few lines early or late, stop
// before the end or run on into what follows; none of that is meant.
//
//   file        region           reply            change
//   1 a
//   2 b    ┐    b                b2               2: b becomes b2
//   3 c    │    c                c
//   4 d    ┘    d                                 (missing at the end: stays)
//   5 e                          e                (runs on into what follows: is there)
//
// A change counts between two lines that stay. At an end of the region it counts only if each line
// there has become another one; if that cannot be told, nothing changes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/text/text.h"

namespace bodkin {

struct RegionReply {
  LineRange region;                // the lines of the file that were to be written anew
  std::vector<std::string> lines;  // what was sent in their place
  bool is_cut = false;             // the reply was cut off: its last line is not complete
};

// One replacement of whole lines for every run of changed lines, ascending and disjoint. Empty:
// nothing changes, or it is not certain what does. Blanks at the ends of lines are not compared.
std::vector<Replacement> region_change(const Text& file, const RegionReply& reply);

// The text that a model writes at the cursor, a byte offset: without what is already behind the
// cursor, and ending where it runs into the next line of the file. Empty: nothing is left.
std::vector<Replacement> insertion_at(const Text& file, size_t cursor, std::string_view written,
                                      bool is_cut);

}  // namespace bodkin
