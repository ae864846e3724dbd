// Places all hunks of one file: in the file as it is; else, if a hunk has no place there, each in
// what the ones before it have made, or in pieces between which its quote leaves out lines.
//
// Where to look for why a hunk went where it went, in the order in which it happens:
//
//   plan/paths.h           which file its path means
//   apply/find_hunk.h      the places of its old side: bytes of a part of a line, or whole lines
//     align/align.h        … what its lines cost there, with a worked example
//     align/weigh.h        … and what else is known: numbers, anchors, the selection
//     align/prices.h       … and what each of these costs, and why
//   align/choose.h         which of several places, by the other hunks of the file
//   align/rewrite.h        its new lines, in the file's words
//   apply/check_result.h   whether it may have been meant otherwise
//   place/write.h          the bytes
//   align/overlaps.h       that no two hunks change the same
//   apply/place_hunks.h    what is tried if a hunk has no place: after the others, or in pieces
//   apply/doubtful_syntax.h   whether a doubtful place breaks the syntax
//
// A file that a reply shows as a whole or as a sketch goes another way: apply/whole_file.h and
// lazy/lazy.h. `bodkin apply --why` prints the bill of each place (align/bill.h).
#pragma once

#include "edits/apply/file_placer.h"

namespace bodkin {

// Appends a report for each hunk to `reports`, continuing its numbering. Once `stop` is requested,
// it fails without a failure in the reports.
PlacedEdits place_hunks(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                        const std::optional<LineRange>& selection, bool with_bills,
                        const std::stop_token& stop, std::vector<HunkReport>& reports);

}  // namespace bodkin
