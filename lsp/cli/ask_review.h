// The user's decision on the changes of an ask on the command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/ask/draft.h"
#include "agent/workspace/roots.h"
#include "edits/plan/report.h"

namespace bodkin {

// Asks on standard error: a (apply), h (choose hunks), r (refine) or d (discard). '\0' as of
// ask_for_key(). `diff`: of all of it, to be viewed again.
char prompt_decision(const std::string& diff);

// Shows the hunks one after the other and asks for each. The files as they become with those that
// were chosen; empty: none was. Nothing: the user gave up.
std::optional<std::vector<ChangedFile>> choose_hunks(const std::vector<ChangedFile>& draft,
                                                     const Roots& roots);

}  // namespace bodkin
