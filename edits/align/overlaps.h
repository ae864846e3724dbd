// Overlaps: two hunks must not change the same bytes, none may change another's context line, and
// none may add something between the lines of a quote that another has too: they are alternatives.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "edits/align/align.h"
#include "edits/place/match.h"

namespace bodkin {

// A hunk and where it may be.
struct Placed {
  const Hunk* hunk = nullptr;              // the interpretation that matched
  std::shared_ptr<const Hunk> lines = {};  // … as whole lines, if alignments are of these
  bool is_wrapped = false;                 // … with the file's own line breaks
  std::vector<Place> places = {};
  std::vector<Alignment> aligned = {};  // of each place; empty: the search for bytes found them
  std::optional<size_t> chosen = {};
  bool repeated = false;                       // another hunk does the same
  bool has_too_many = false;                   // too many places are alike
  std::optional<Alignment> next = {};          // the cheapest place elsewhere
  std::optional<Alignment> contradicted = {};  // … and the cheapest one that may not be

  const Place* certain() const {
    if (chosen) return &places[*chosen];
    return places.size() == 1 ? &places[0] : nullptr;
  }
};

// Marks both hunks of each overlap as a conflict, and the second of two that do the same as
// repeated. `found` and `reports` are the file's hunks.
void mark_overlaps(const std::string& path, const MappedText& file, std::vector<Placed>& found,
                   std::span<HunkReport> reports);

}  // namespace bodkin
