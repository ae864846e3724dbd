// Whole files and lazy sketches, in fences:
//
//   file := path fence-line contents fence-end       the path on one of the three lines above,
//         | "```" [language] path contents "```"     or in the fence's info
//
// A fence within the contents is content if it is longer, or opens and closes there. In a text that
// has such fences without a word behind them, the first may be the end as well: then the last one
// that can be is the end, if the file has lines like those between. A line that
// elides (`// ... existing code ...`, in any comment syntax) makes a sketch of a whole file: what
// it stands for is never deleted.
#pragma once

#include "edits/formats/reply.h"

namespace bodkin {

ParseFormat parse_whole;
ParseFormat parse_lazy;

}  // namespace bodkin
