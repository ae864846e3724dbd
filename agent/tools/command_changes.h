// Merges what a command changed in its sandbox into the draft.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "agent/sandbox/kept_files.h"
#include "agent/sandbox/sandbox.h"
#include "agent/tools/tools.h"

namespace bodkin {

// What the commands of an ask left besides the draft.
struct CommandFiles {
  KeptFiles kept;
  // What a proposal cannot carry, by path: a sentence for the user.
  std::map<std::string, std::string, std::less<>> not_proposed;
};

struct TakenChanges {
  std::string
      told;  // for the model: what was accepted, what was not and why; empty: nothing changed
  bool edited = false;
};

// Takes what an edit could have done, file by file: the gate is asked, and what is private or no
// path of an edit is named and stays as it is. What no proposal can carry (files that git ignores,
// that are not text or too large, links, modes) goes to bench.left. `begun`: before the command;
// what was written on the disk since is not overwritten.
TakenChanges take_changes(ToolBench& bench, const SandboxChanges& changes,
                          std::chrono::system_clock::time_point begun, const Task& task);

}  // namespace bodkin
