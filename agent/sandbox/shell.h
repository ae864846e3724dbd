// Shell: where a model's commands run. Each runs alone, on the files as the draft has them, in a
// sandbox; what it changes there is told, and nothing on the disk.
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
  std::chrono::milliseconds timeout{30'000};  // of a command that names none; also the most
  std::shared_ptr<UnconfinedConsent> consent;
};

// May commands run here at all? Without a sandbox the person has to be asked. May block, as
// sandbox_ability().
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
