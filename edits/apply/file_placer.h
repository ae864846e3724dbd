// One pass over the hunks of a file: each is found (find_hunk.h); if it has several places, the
// other hunks decide (choose.h); its lines are made (rewrite.h) and checked (check_result.h), its
// bytes written (write.h); and no two may overlap (overlaps.h).
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/plan/report.h"

namespace bodkin {

struct PlacedEdits {
  std::vector<Replacement> edits;  // of all hunks, ascending
  bool failed = false;             // a hunk has a failure
};

// Fills a report for each hunk. Once `stop` is requested, it fails without a failure in them.
PlacedEdits place_in_file(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                          const std::optional<LineRange>& selection, bool with_bills,
                          const std::stop_token& stop, std::span<HunkReport> reports);

}  // namespace bodkin
