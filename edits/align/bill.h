// The bill of a place: why a hunk is where it is, for people (`bodkin apply --why`).
#pragma once

#include <optional>
#include <string>

#include "edits/align/align.h"

namespace bodkin {

// The price, its parts, and the next place with its own price; then the hunk's lines: those that
// stay and go as the file has them, with the quote's text where it differs, and new ones as they
// were sent. Ends with a line end. `next`: the cheapest other place, if there is one.
std::string bill_of(const MappedText& file, const Alignment& place,
                    const std::optional<Alignment>& next);

// Describes the effect on a file that a reply shows whole or as a sketch: how many lines stay, go
// and are new, then for each its line in the file and in `shown`, the text as it was sent. Ends
// with a line end. `is_sketch`: lines that are not shown stay.
std::string bill_of_result(const Text& before, const Text& after, std::string_view shown,
                           bool is_sketch);

}  // namespace bodkin
