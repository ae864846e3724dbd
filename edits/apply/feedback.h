// Why a hunk has no place, or several, for the model that sent it.
#pragma once

#include <string>
#include <vector>

#include "edits/align/overlaps.h"

namespace bodkin {

// Why nothing in `found` is a place of the hunk. Adds the file's text to `feedback`: the first line
// that differs, both sides with visible whitespace, and the closest lines.
Failure why_unplaced(const MappedText& file, const std::string& path, const Hunk& hunk,
                     const Placed& found, std::string& feedback);

// Each place with its line and the line above it, which may distinguish the places.
std::string places_feedback(const MappedText& file, const std::vector<Place>& places);

// "lines 3, 8 and 12", "lines 1, 2, 3 and 40 more", "line 3, columns 1 and 9".
std::string listed_places(const MappedText& file, const std::vector<Place>& places);

}  // namespace bodkin
