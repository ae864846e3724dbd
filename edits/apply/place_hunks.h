// Places all hunks of one file: each by its alignments (edits/align/align.h); where several are
// left, by the order of the hunks; and without overlaps.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/apply/apply.h"

namespace bodkin {

struct PlacedFile {
  std::vector<Replacement> edits;  // of all hunks, ascending
  bool failed = false;             // a hunk has a failure
};

// Appends a report for each hunk to `reports`, continuing its numbering. Once `stop` is requested,
// it fails without a failure in the reports.
PlacedFile place_hunks(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                       const std::optional<LineRange>& selection, bool with_bills,
                       const std::stop_token& stop, std::vector<HunkReport>& reports);

}  // namespace bodkin
