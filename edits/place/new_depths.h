// New depths: whose indentation the new half has where the old half is indented differently than
// the file. In SEARCH/REPLACE the lines that both halves have say it. A diff has its context only
// once, so there it is what replaces a line: as deep as that line is in the file, or in the quote.
// A line that was quoted without its indentation may have been replaced by several of which only
// the first lost it: the others are then as deep as only the file can explain.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/place/match.h"

namespace bodkin {

// The quote's, as nearly always; the file's; or the lines contradict each other.
enum class NewDepths { quotes, files, open };

// `ours`: the file's lines at the hunk's old ones, at `place`.
NewDepths new_depths(const MappedText& file, const Hunk& hunk, const Place& place,
                     const std::vector<std::string>& ours);

constexpr double kAlike = 0.4;  // of their tokens: lines that may be one, changed

// The share of tokens that two lines have in common, from 0 to 1.
double token_similarity(std::string_view a, std::string_view b);

}  // namespace bodkin
