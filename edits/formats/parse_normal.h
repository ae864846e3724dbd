// Normal diffs, as `diff` writes them without options:
//
//   diff    := ["diff " option* old new | "Index: " path] command*
//   command := range "a" range after+ | range "d" range before+
//            | range "c" range before+ "---" after+
//   range   := first ["," last]                 the first one begins at the line hint
//   before  := "< " text      after := "> " text
//
// A line may be followed by "\ No newline at end of file". The path may be above, as for any edit.
// Additions have no old text: only their number places them. A command with fewer lines than its
// ranges say, at the end of the text, is truncated.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_normal;
IsLeftOver is_left_over_command;  // with a line of one side below it

}  // namespace bodkin
