// Infers a reply's habits from the paired lines: how deep its new half is, and what it spells
// differently from the file throughout.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/align/align.h"
#include "edits/align/depth_map.h"

namespace bodkin {

// The depth of the new half, if the depth of the old one differs from the file's.
enum class NewHalf { like_quote, like_file, contradicts };

// Compares the first removed and the first added line of each run: a new line at the depth of the
// file's line, and not of the quote's, was written as the file has it.
NewHalf new_half_of(const MappedText& file, const Alignment& alignment,
                    const std::vector<DepthPair>& pairs);

// True if the kept lines of a diff have lost their sign: its removed lines, or else an added one,
// are at the file's depth.
bool lost_signs(const MappedText& file, const Alignment& alignment);

}  // namespace bodkin
