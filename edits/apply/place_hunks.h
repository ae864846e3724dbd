// Placing all hunks of one file: each by the ladder, equals by evidence, and none over another.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/apply/apply.h"

namespace bodkin {

struct PlacedFile {
  std::vector<Replacement> edits;  // of all hunks, ascending
  bool failed = false;             // a hunk has a failure
};

// Adds a report for each hunk to `reports`; their numbers go on from there.
PlacedFile place_hunks(const std::string& path, const Text& text, const std::vector<Hunk>& hunks,
                       const std::optional<LineRange>& selection,
                       std::vector<HunkReport>& reports);

}  // namespace bodkin
