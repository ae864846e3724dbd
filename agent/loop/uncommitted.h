// Uncommitted changes, for a request that mentions @diff or @staged.
#pragma once

#include <string>

#include "agent/sandbox/shell.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// Returns the changes in each workspace folder since the last commit, with unsaved buffers and the
// draft (`files`), for the model; or one sentence why they are not known. `is_staged`: those of the
// index instead. git runs in the sandbox, and none of the programs that the repository's
// configuration may name. About `most` bytes for each folder. Blocks.
std::string uncommitted_text(const Shell* shell, GuardedWorkspace& guard, Workspace& files,
                             bool is_staged, size_t most, const Task& task);

}  // namespace bodkin
