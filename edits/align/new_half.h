// What the paired lines say of the reply's habits: how deep its new half stands, and what it writes
// otherwise than the file everywhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edits/align/align.h"
#include "edits/align/depth_map.h"

namespace bodkin {

// How deep the new half stands, where the old one stands otherwise than the file.
enum class NewHalf { like_quote, like_file, contradicts };

// The first removed and the first added line of each run are compared: a new line that stands
// where the file's line stands, and not where the quote's does, was written as the file has it.
NewHalf new_half_of(const MappedText& file, const Alignment& alignment,
                    const std::vector<DepthPair>& pairs);

// True if the kept lines of a diff have lost their sign: then what is removed, or else added,
// stands at the file's depth.
bool lost_signs(const MappedText& file, const Alignment& alignment);

}  // namespace bodkin
