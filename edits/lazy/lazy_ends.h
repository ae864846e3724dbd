// Detects a sketch that begins or ends in the middle of a block of the file.
//
// What a sketch shows first and last is also where it ends, and a sketch that leaves lines out may
// leave out those, too, without saying so. So, if it has an elision:
//
//   Where it ends without one, in a line that closes nothing, the lines that it ends with do not
//   take the place of more lines: the rest of the block may be left out. Nor does the body of a
//   head go that it ends with, or the file's last line for one with no word in common. Nor are new
//   lines put into a block whose end it does not show: only their indentation says that they are in
//   there. Where it begins with one, lines that the file has at several depths, and that are deeper
//   than it, are not placed by their depth alone.
#pragma once

#include <vector>

#include "edits/formats/reply_lines.h"
#include "edits/plan/failure.h"
#include "edits/text/mapped_text.h"
#include "edits/text/text.h"

namespace bodkin {

// An error (`ambiguous`) if these edits would.
FailureOr<void> check_ends(const ReplyLines& sketch, const MappedText& file,
                           const std::vector<Replacement>& edits);

}  // namespace bodkin
