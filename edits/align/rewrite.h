// Turns an alignment into what is written: the hunk again, but in the file's own words. Its kept
// and removed lines are the file's; its added lines went through the maps.
#pragma once

#include "edits/align/align.h"
#include "edits/place/match.h"
#include "edits/plan/failure.h"

namespace bodkin {

// The place with the hunk to be written. Fails with `not_found` if the depth of a new line is
// unknown, or a line would be removed that no line of the reply names. At an exact place the new
// lines are written as they are; only if no quoted line is indented, and the file has no tabs, tabs
// become blanks, unless the language `needs_tabs`.
FailureOr<Place> rewritten(const MappedText& file, const Alignment& alignment, bool needs_tabs);

}  // namespace bodkin
