// The merge itself: the levels of a sketch, from the file down into the blocks that elide.
#pragma once

#include <string>
#include <vector>

#include "edits/lazy/lazy_match.h"
#include "edits/plan/failure.h"

namespace bodkin {

// Lines [begin, end) of the file become these.
struct LineEdit {
  size_t begin = 0, end = 0;
  std::vector<std::string> lines;
};

// Merges by the declarations and other blocks of both sides, else by lines alone. Errors:
// `ambiguous` or `not_found`.
FailureOr<std::vector<LineEdit>> merge_sides(const LazySide& sketch, const LazySide& file,
                                             bool by_blocks);

}  // namespace bodkin
