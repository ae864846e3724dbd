// Scratch: the folders of a workspace as a draft would have them, for a sandbox
// (agent/sandbox/sandbox.h). Nothing that runs there changes the disk.
#pragma once

#include <optional>

#include "agent/sandbox/sandbox.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

// Blocks. `run` with the workspace's folders and what they hold: its open and drafted texts stand
// in place of the disk's. `files` has to outlive what is returned. Errors, as the end of a sentence
// for the user: cancelled, unavailable (no folder, two of one name, a link that leads out of one).
Result<SandboxRun> with_folders_of(Workspace& files, SandboxRun run, const Task& task);

// A regular file or a link of `folder`; nothing: it is neither, or has more than `most` bytes.
// Blocks on nothing else.
std::optional<SandboxFolder::File> file_on_disk(const std::string& folder, const std::string& path,
                                                uint64_t most);

}  // namespace bodkin
