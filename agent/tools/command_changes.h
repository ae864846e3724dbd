// What a command has changed in its sandbox becomes part of the draft.
#pragma once

#include <chrono>
#include <string>

#include "agent/sandbox/sandbox.h"
#include "agent/tools/tools.h"

namespace bodkin {

struct TakenChanges {
  std::string told;  // for the model: what was taken, what not and why; empty: nothing changed
  bool edited = false;
};

// Takes what an edit could have done, file by file: the gate is asked, and what is private, not
// text, too large or no path of an edit is named and stays as it is. `begun`: before the
// command; what was written on the disk since is not overwritten.
TakenChanges take_changes(ToolBench& bench, const SandboxChanges& changes,
                          std::chrono::system_clock::time_point begun, const Task& task);

}  // namespace bodkin
