// Shell: where a model's commands run. Each has its own sandbox, on the files with the draft
// applied; its changes are reported, and nothing on disk changes.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "agent/sandbox/kept_files.h"
#include "agent/sandbox/sandbox.h"
#include "agent/sandbox/verifier.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

struct Shell {
  SandboxSettings sandbox = {};
  std::chrono::milliseconds timeout{30'000};  // the default of a command, and the maximum
  std::shared_ptr<UnconfinedConsent> consent;
};

// Whether commands can run here at all. Without a sandbox the user must be asked, which needs an
// editor. May block, like sandbox_ability().
bool can_run_commands(const Shell& shell, const Editor* editor);

// A line for bash, or for sh where there is no bash; or a script for PowerShell.
struct ShellLine {
  std::string text;
  bool is_powershell = false;
  std::chrono::milliseconds timeout{};
  const KeptFiles* kept = nullptr;  // of earlier commands; null: nothing
};

// What the permissions are about: the line, or of a script the command that runs it.
std::string subject_of(const ShellLine& line);

// Blocks. Runs it in the first folder of the workspace; the permissions are the caller's to ask.
// `editor` may be null. Errors, as the end of a sentence: cancelled, unavailable (no folder, no
// PowerShell, no sandbox and no consent, too large to copy), internal.
Result<SandboxOutcome> run_line(const Shell& shell, const ShellLine& line, Workspace& files,
                                Editor* editor, const Task& task);

}  // namespace bodkin
