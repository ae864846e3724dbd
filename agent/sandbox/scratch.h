// Scratch: a workspace's folders with a draft applied, for a sandbox (agent/sandbox/sandbox.h).
// Nothing that runs there changes the disk.
#pragma once

#include <map>
#include <optional>

#include "agent/sandbox/sandbox.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

// Blocks. Returns `run` with the workspace's folders, in which open and drafted texts replace the
// disk's. `files` must outlive the result. Errors, as the end of a sentence for the user:
// cancelled, unavailable (no folder, two with the same name, a link that leads out of one).
Result<SandboxRun> with_folders_of(Workspace& files, SandboxRun run, const Task& task);

// A regular file or a link of `folder`; nullopt: it is neither, or has more than `most` bytes.
// Blocks on nothing else.
std::optional<SandboxFolder::File> file_on_disk(const std::string& folder, const std::string& path,
                                                uint64_t most);

// What a copy of one of the run's folders holds, its drafts included, by path. Blocks. Errors: as
// run_in_sandbox.
Result<std::map<std::string, SandboxFolder::File>> files_of_copy(const SandboxRun& run,
                                                                 const SandboxFolder& folder);

}  // namespace bodkin
