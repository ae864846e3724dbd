// Evidence: which of several equal places a hunk means, by what the edit says beside its lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edits/match.h"

namespace bodkin {

// The lines of the innermost anchor: itself and what is indented below it. Nothing if an anchor is
// not there, or more than once.
std::optional<LineRange> range_of_anchors(const MappedText& file,
                                          const std::vector<std::string>& anchors);

// The only place within whole lines [begin, end), as its index.
std::optional<size_t> only_within(const std::vector<Place>& places, size_t begin, size_t end);

// The place that anchors, the file's end, a clearly nearest line hint, or the person's selection
// point to. "The first" is no evidence.
std::optional<size_t> chosen_by_evidence(const MappedText& file, const Hunk& hunk,
                                         const std::vector<Place>& places,
                                         const std::optional<LineRange>& selection);

// Do the hunk's anchors name, beyond doubt, another part of the file than this?
bool anchors_contradict(const MappedText& file, const Hunk& hunk, const Place& place);

// The line before which a pure addition without any old line goes.
std::optional<size_t> insertion_line(const MappedText& file, const Hunk& hunk);

}  // namespace bodkin
