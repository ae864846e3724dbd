// Normal diffs, as `diff` writes them without options:
//
//   diff    := ["diff " option* old new | "Index: " path] command*
//   command := range "a" range after+ | range "d" range before+
//            | range "c" range before+ "---" after+
//   range   := first ["," last]                 the first one begins at the line hint
//   before  := "< " text      after := "> " text
//
// Behind a line may stand "\ No newline at end of file". The path may stand above, as above any
// edit. Additions carry no old text: only their number places them. A command with fewer lines
// than its ranges say, at the end of the text, is cut off.
#pragma once

#include "edits/formats/reply.h"

namespace bodkin {

ParseFormat parse_normal;
IsLeftOver is_left_over_command;  // with a line of one side below it

}  // namespace bodkin
