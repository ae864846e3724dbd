// Context diffs, as `diff -c` writes them:
//
//   diff   := ["*** " old "--- " new] hunk*
//   hunk   := "***************" [heading] "*** " range " ****" before* "--- " range " ----" after*
//   range  := first ["," last]                  its first line is the hunk's line hint
//   before := "  " context | "- " removed | "! " changed
//   after  := "  " context | "+ " added   | "! " changed
//
// A side that changes nothing is left out; it is then the other side's context lines. Behind a line
// may stand "\ No newline at end of file". Ranges may be wrong. A hunk that stops before its second
// side, or at the end of the text with fewer lines than its range says, is cut off.
#pragma once

#include "edits/formats/reply.h"

namespace bodkin {

ParseFormat parse_context;
IsLeftOver is_left_over_context_diff;  // a range

}  // namespace bodkin
