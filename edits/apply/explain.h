// explain: what goes back to the model about an edit (edits/README.md, "What goes back to the
// model").
#pragma once

#include <string>

#include "edits/apply/apply.h"

namespace bodkin {

// At most about 60 lines. Says for each failed hunk what differs and what to send; for each
// forgiven hunk what was forgiven. Empty if all hunks were placed exactly.
std::string explain(const ApplyReport& report);

}  // namespace bodkin
