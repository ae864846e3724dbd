// Places all hunks of one file: each by its alignments; where several are left, by the order of the
// hunks; and without overlaps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/apply/place_hunks.h"

namespace bodkin {

// Appends a report for each hunk to `reports`, continuing its numbering.
PlacedFile place_aligned(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                         const std::optional<LineRange>& selection,
                         std::vector<HunkReport>& reports);

}  // namespace bodkin
