// Finds the problems of a request's files when no editor has reported them.
#pragma once

#include <string>
#include <vector>

#include "agent/checkers/draft_checker.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// Asks language servers about these files as they are without the draft, for the model; if that is
// not known, the model and the user are told why. `checker`: null if there is none. Blocks.
std::string problems_text(const std::vector<std::string>& paths, DraftChecker* checker,
                          GuardedWorkspace& guard, const Task& task);

}  // namespace bodkin
