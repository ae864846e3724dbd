// Whole files and lazy sketches, in fences:
//
//   file := path fence-line contents fence-end       the path on one of the three lines above,
//         | "```" [language] path contents "```"     or in the fence's info
//
// A fence within the contents is content if it is longer, or opens and closes there. If such fences
// have no info string, the first may also be the end: then the last possible one is the end, if the
// file has lines like those in between. An elision line (`// ... existing code ...`, in any comment
// syntax) turns a whole file into a sketch: what it stands for is never deleted.
#pragma once

#include "edits/formats/reply_lines.h"

namespace bodkin {

ParseFormat parse_whole;
ParseFormat parse_lazy;

}  // namespace bodkin
