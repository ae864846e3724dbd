// Shell: where a model's commands run. Each runs alone, on the files as drafted, in a sandbox; its
// changes are reported, and the disk stays unchanged.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"
#include "agent/sandbox/verifier.h"
#include "agent/workspace/workspace.h"

namespace bodkin {

struct ShellLine;

struct Shell {
  SandboxSettings sandbox = {};
  std::chrono::milliseconds timeout{
      30'000};  // default for a command without a timeout; also the maximum
  std::shared_ptr<UnconfinedConsent> consent;
  // Called in place of running a line, which `run` does: for recordings. Empty: it is run.
  using Run = std::function<Result<SandboxOutcome>()>;
  std::function<Result<SandboxOutcome>(const ShellLine& line, const Run& run)> instead = {};
  // Set for a recording, in which commands run anywhere: whether they are confined.
  std::optional<bool> is_confined = {};
};

// True if commands may run here at all. Without a sandbox the user must be asked. May block, like
// sandbox_ability().
bool can_run_commands(const Shell& shell, const Editor* editor);

// Whether commands are kept from the network and from everything but the draft. May block, too.
bool is_confined(const Shell& shell);

// Describes to the model how commands run: "in a sandbox, …", without a full stop. It does not ask
// which sandbox this machine has, which takes a while.
std::string describe_confinement(const Shell& shell);

// A line for bash, or for sh if there is no bash; or a script for PowerShell.
struct ShellLine {
  std::string text;
  bool is_powershell = false;
  std::chrono::milliseconds timeout{};
  std::string folder = {};  // absolute, or below the first one; empty: there
  // Adds what earlier commands left. Empty: nothing.
  std::function<void(std::vector<SandboxFolder>&)> lay_over = {};
};

// The subject of a permission: the line after a `cd` to its folder; for a script, the command that
// runs it.
std::string subject_of(const ShellLine& line);
// The shell and its arguments. Errors (unavailable, the end of a sentence): there is no shell.
Result<std::vector<std::string>> command_of(const ShellLine& line);
// The line as a person reads it.
std::string shown_line(const ShellLine& line);
// Whether PowerShell runs it: on Windows always.
bool runs_in_powershell(const ShellLine& line);

// Blocks. Runs all of it in its folder, or nothing of it; without one in the first folder of the
// workspace; the permissions are the caller's to ask.
// `editor` may be null. Errors, as the end of a sentence: cancelled, unavailable (no folder, no
// PowerShell, no sandbox and no consent, too large to copy), internal.
Result<SandboxOutcome> run_line(const Shell& shell, const ShellLine& line, Workspace& files,
                                Editor* editor, const Task& task);

}  // namespace bodkin
