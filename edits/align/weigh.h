// What else is known about a place adds to its price; then the cheapest place wins by a margin.
#pragma once

#include <optional>
#include <vector>

#include "edits/align/align.h"

namespace bodkin {

// All places of a hunk that some price can pay, cheapest first, with what evidence adds. A hunk
// that stands byte for byte in the file, where nothing points elsewhere, is not looked for
// otherwise.
Alignments priced_places(const MappedText& file, const Hunk& hunk,
                         const std::optional<LineRange>& selection);

// Those that are within the margin of the cheapest and are places of their own: of several ways to
// read one place only the cheapest.
std::vector<Alignment> within_margin(std::vector<Alignment> priced);

// True if the hunk's new side is in the file already, once, and at least two of its lines stand
// nowhere else.
bool is_done(const MappedText& file, const Hunk& hunk);

}  // namespace bodkin
