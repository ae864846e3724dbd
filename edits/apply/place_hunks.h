// Places all hunks of one file: in the file as it is; else, if a hunk has no place there, each in
// what the ones before it have made, or in pieces between which its quote leaves out lines.
#pragma once

#include "edits/apply/file_placer.h"

namespace bodkin {

// Appends a report for each hunk to `reports`, continuing its numbering. Once `stop` is requested,
// it fails without a failure in the reports.
PlacedFile place_hunks(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                       const std::optional<LineRange>& selection, bool with_bills,
                       const std::stop_token& stop, std::vector<HunkReport>& reports);

}  // namespace bodkin
