// Finds where a hunk may be: the interpretation of it that matches the file, and its places.
#pragma once

#include <optional>
#include <string>

#include "edits/align/overlaps.h"

namespace bodkin {

// The places that cost least, ascending; of a string replacement all that have its bytes. If
// several interpretations match, the hunk is ambiguous, unless one splits the dividers evenly and
// every other match is a shorter one (the start of its old half). Says in `report` if the hunk is
// refused for that, or was applied already.
Placed find_hunk(const MappedText& file, const std::string& path, const Hunk& hunk,
                 const std::optional<LineRange>& selection, HunkReport& report);

}  // namespace bodkin
