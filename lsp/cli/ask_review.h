// The changes of an ask on the command line, chosen hunk by hunk.
#pragma once

#include <optional>
#include <vector>

#include "agent/ask/draft.h"
#include "agent/workspace/roots.h"
#include "edits/plan/report.h"

namespace bodkin {

// Shows the hunks one after the other and asks for each. The files as they become with those that
// were chosen; empty: none was. Nothing: the user gave up.
std::optional<std::vector<ChangedFile>> choose_hunks(const std::vector<DraftFile>& draft,
                                                     const Roots& roots);

}  // namespace bodkin
