// Tool calls that a model writes into its text as tags, as it was trained to or told to:
//
//   call  := "<invoke name=" name ">" value* "</invoke>"
//          | "<function=" name ">" value* "</function>"
//          | "<" tool attribute* ">" value* "</" tool ">"     tool: write_to_file, edit_file, …
//   value := "<parameter name=" name ">" text "</parameter>" | "<parameter=" name ">" text "</parameter>"
//          | "<" name ">" text "</" name ">"
//
// A value ends at the first closing tag behind which the next value or the call's end follows, so a
// text may hold tags of its own. Line ends next to the tags lay the call out and are no text. Calls
// that hold a diff or a patch (Cline's replace_in_file) are left to the parsers of those; the path in
// a line of its own, "<path>src/a.c</path>", stands above the first block there. A call with no end
// is cut off. What the values mean: edits/formats/tool_edit.h.
#pragma once

#include "edits/formats/reply.h"

namespace bodkin {

ParseFormat parse_tags;

}  // namespace bodkin
