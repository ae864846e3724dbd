// explain: the feedback to the model about an edit (edits/README.md, "What goes back to the
// model").
#pragma once

#include <string>

#include "edits/apply/apply.h"

namespace bodkin {

// At most about 60 lines. For each failed hunk it says what differs and what to send; for each
// loosely matched hunk, which differences were ignored. Empty only if all hunks were placed
// exactly. `keeps_good`: the hunks of a refused reply that could be placed are kept for the next
// one.
std::string explain(const ApplyReport& report, bool keeps_good = true);

}  // namespace bodkin
