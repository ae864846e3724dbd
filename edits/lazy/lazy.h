// Lazy edits: a sketch of a file in which `// ... existing code ...` stands for lines that stay.
//
// A sketch is read in two ways; its meaning must be certain in one of them and not contradicted by
// the other:
//   by lines    each run of lines between two elisions belongs to one region of the file, which
//               begins where its first lines are found and ends where its last lines are found.
//   by blocks   declarations are the same if their kinds and names are (and their heads, where
//               several share a name), other blocks if their first lines are. A block without
//               elisions replaces the file's block; one with elisions is merged recursively. What
//               is new goes next to the neighbour that the sketch shows. Needs a grammar.
// The lines that an elision represents are always kept, no entry of the file is torn apart that one
// could represent, and lines go only between others that are shown (lazy_loss.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/plan/failure.h"
#include "edits/plan/syntax.h"
#include "edits/text/text.h"

namespace bodkin {

// What the sketch changes in the file, in bytes of the file, ascending and disjoint. `syntax` may
// be null: then it is read by lines. Errors: `ambiguous` or
// `not_found`.
FailureOr<std::vector<Replacement>> merge_lazy(std::string_view sketch, const Text& file,
                                               std::string_view path = {},
                                               const Syntax* syntax = nullptr);

// The sketch with an elision at each end at which it has none, although the file goes on beyond it
// for at least so many lines with text: it shows a part of the file. As it is if it has both.
// Nothing if there is no such end. `syntax` may be null.
std::optional<std::string> as_part(std::string_view sketch, const Text& file, size_t least_beyond,
                                   std::string_view path, const Syntax* syntax);

}  // namespace bodkin
