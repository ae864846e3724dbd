// Tool calls that a model writes into its text as tags, by training or instruction:
//
// clang-format off
//
//   call  := "<invoke name=" name ">" value* "</invoke>"
//          | "<function=" name ">" value* "</function>"
//          | "<" tool attribute* ">" value* "</" tool ">"     tool: write_to_file, edit_file, …
//   value := "<parameter name=" name ">" text "</parameter>"
//          | "<parameter=" name ">" text "</parameter>"
//          | "<" name ">" text "</" name ">"
//
// clang-format on
//
// A value ends at the first closing tag that is followed by the next value or the call's end, so a
// text may contain tags. Line endings next to the tags are layout, not text. Calls that hold a diff
// or a patch (Cline's replace_in_file) are left to those formats' parsers; there the path is on a
// separate line, "<path>src/a.c</path>", above the first block. A call without an end is truncated.
// What the values mean: edits/formats/tool_edit.h.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_tags;

}  // namespace bodkin
