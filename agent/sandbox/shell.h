// Shell: where a model's commands run. Each runs alone, on the files as the draft has them, in a
// sandbox; what it changes there is told, and nothing on the disk.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "agent/sandbox/sandbox.h"
#include "agent/sandbox/verifier.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

struct Shell {
  SandboxSettings sandbox = {};
  std::chrono::milliseconds timeout{30'000};  // of a command that names none; also the most
  std::shared_ptr<UnconfinedConsent> consent;
};

// May commands run here at all? Without a sandbox the person has to be asked. May block, as
// sandbox_ability().
bool can_run_commands(const Shell& shell, const Editor* editor);

// Blocks. A line for bash, or for sh where there is no bash, in the first folder of the workspace;
// the permissions are the caller's to ask. `editor` may be null. Errors, as the end of a sentence:
// cancelled, unavailable (no folder, no sandbox and no consent, too large to copy), internal.
Result<SandboxOutcome> run_line(const Shell& shell, const std::string& line,
                                std::chrono::milliseconds timeout, Workspace& files, Editor* editor,
                                const Task& task);

}  // namespace bodkin
