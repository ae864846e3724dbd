// Scratch: a program runs in the workspace's folder as a draft would have it, and nothing that it
// writes there stays.
//
//   Linux, where it is allowed   an overlay mount in namespaces of its own, at the folder's own
//   path:
//                                nothing is copied, build folders and absolute paths work, what is
//                                written goes to memory and is gone with the program
//   else                         a copy of what git does not ignore, removed afterwards
//
// Only the workspace's folder is protected: the program can write elsewhere as any program of the
// person's can.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "agent/process.h"
#include "agent/workspace.h"

namespace bodkin {

struct ScratchRun {
  std::vector<std::string> command;  // the program first; no shell
  std::chrono::milliseconds timeout{60'000};
  std::string hidden_variable = {};  // of the environment; those that hold keys are hidden anyway
  bool may_overlay = true;           // tests compare both ways
};

// Blocks. `files`: a workspace with one folder; its open and drafted texts stand in place of the
// disk's. The outcome's `output` has both streams. Errors, as the end of a sentence for the person:
// cancelled, unavailable (several folders, too large to copy, a name that a mount cannot take, a
// link that leads out of the folder), internal (not ended in time, and the rest).
Result<ProcessOutcome> run_in_scratch(Workspace& files, const ScratchRun& run, const Task& task);

}  // namespace bodkin
