// A quote whose lines are broken elsewhere than the file's: the model joins what a formatter has
// wrapped, or wraps a long line.
//
//   .items.map((item) => <Item       in the file this is one line, and the hunk is written anew
//       key={item} />)               with the file's own lines; where it stands is then found as
//                                    that of every other hunk.
#pragma once

#include <memory>

#include "edits/plan/plan.h"
#include "edits/text/mapped_text.h"

namespace bodkin {

// The hunk with the lines of the file in the place of those that are the same text, broken
// otherwise. Null if the old side, all blanks left out, does not stand exactly once in the file,
// from the beginning of a line to the end of one; or differs there in its depth, in words that are
// one word elsewhere, in blanks that are not where a line ends, or in what a comment takes in.
std::shared_ptr<const Hunk> wrapped_as_in(const MappedText& file, const Hunk& hunk);

}  // namespace bodkin
