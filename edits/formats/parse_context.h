// Context diffs, as `diff -c` writes them:
//
//   diff   := ["*** " old "--- " new] hunk*
//   hunk   := "***************" [heading] "*** " range " ****" before* "--- " range " ----" after*
//   range  := first ["," last]                  its first line is the hunk's line hint
//   before := "  " context | "- " removed | "! " changed
//   after  := "  " context | "+ " added   | "! " changed
//
// A side without changes is omitted; it then equals the other side's context lines. A line may be
// followed by "\ No newline at end of file". Ranges may be wrong. A hunk that stops before its
// second side, or at the end of the text with fewer lines than its range says, is truncated.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_context;
IsLeftOver is_left_over_context_diff;  // a range

}  // namespace bodkin
