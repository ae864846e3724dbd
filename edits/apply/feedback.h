// Feedback about the file for a failed hunk, for the model that sent it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// The first line that differs from the closest lines, both sides with visible whitespace, and those
// lines with their numbers.
std::string nearest_feedback(const MappedText& file, const Hunk& hunk);

// Each place with its line and the line above it, which may distinguish the places.
std::string places_feedback(const MappedText& file, const std::vector<Place>& places);

// "3, 8 and 12", "1, 2, 3 and 40 more".
std::string listed(const std::vector<size_t>& numbers);

}  // namespace bodkin
