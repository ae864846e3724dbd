// Uncommitted changes, for a request that mentions @diff or @staged.
#pragma once

#include <string>

#include "agent/ask/limits.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// Returns the changes in each workspace folder since the last commit, with unsaved buffers and the
// draft (`files`), for the model; or one sentence why they are not known, which the user is told,
// too. `is_staged`: those of the index instead. git runs in the sandbox, and none of the programs
// that the repository's configuration may name. About `most` bytes for each folder. Blocks.
std::string uncommitted_text(const Limits& limits, GuardedWorkspace& guard, Workspace& files,
                             bool is_staged, size_t most, const Task& task);

}  // namespace bodkin
