// The bill of a place: why a hunk is where it is, for people (`bodkin apply --why`).
#pragma once

#include <optional>
#include <string>

#include "edits/align/align.h"

namespace bodkin {

// The price, what it is made of, and the next place; then the file's lines with those of the quote
// that read otherwise. Ends with a line end. `next`: the cheapest other place, if there is one.
std::string bill_of(const MappedText& file, const Alignment& place,
                    const std::optional<Alignment>& next);

}  // namespace bodkin
