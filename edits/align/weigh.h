// Adds what else is known about a place to its price; then the cheapest place wins by a margin.
#pragma once

#include <optional>
#include <vector>

#include "edits/align/align.h"

namespace bodkin {

// All places of a hunk that some price can pay, cheapest first, with the evidence added. If the
// hunk is in the file byte for byte and nothing points elsewhere, only exact places are looked for.
Alignments priced_places(const MappedText& file, const Hunk& hunk,
                         const std::optional<LineRange>& selection);

// The places within the margin of the cheapest that are places of their own: of several ways to
// read one place only the cheapest.
std::vector<Alignment> within_margin(std::vector<Alignment> priced);

// True if the hunk only adds lines, and its place, which is exact, already has them next to the
// kept ones, above or below.
bool is_added_already(const MappedText& file, const Alignment& place);

// Whether a hunk's new side is in the file already, line for line.
enum class NewSide {
  absent,
  elsewhere,  // somewhere, which proves nothing, but the old side is doubtful then
  there,      // once, with two lines that stand nowhere else: the hunk may have been applied
  proven      // once, and where its anchor, number or quoted head says
};

// `place`: the cheapest place of the old side, which is not exact; null: it has none.
NewSide new_side_in(const MappedText& file, const Hunk& hunk, const Alignment* place);

}  // namespace bodkin
