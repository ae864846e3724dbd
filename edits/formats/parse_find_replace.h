// Edits as chats tell a person to make them:
//
//   edit    := find fence replace fence                  nothing but blank lines between
//   find    := "Find:" | "**Find this line:**" | "In `src/a.py`, search for:" | "Replace this:"
//   replace := "Replace with:" | "**Replace it with:**" | "Change to:" | "With:"
//
// The fences are the halves of a SEARCH/REPLACE block. The path is in the words above, or that of
// the edit before. A reply with such edits has no other code: what is to be done with it would be
// missed, so it is refused (refuse_other_code()).
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_find_replace;

// Error: malformed, if the plan has such edits and its plain fences have code that no words join.
FailureOr<void> refuse_other_code(const EditPlan& plan);

}  // namespace bodkin
