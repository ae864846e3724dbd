// Merges what a command changed in its sandbox into the draft.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"
#include "agent/tools/kept_files.h"
#include "agent/tools/tools.h"

namespace bodkin {

// The files that the commands of an ask left besides the draft.
struct CommandFiles {
  KeptFiles kept;
  struct Note {
    std::string sentence;  // for the user
    bool is_mode_change;   // of a file that may be part of the proposal
  };
  std::map<std::string, Note, std::less<>> not_proposed;  // what a proposal cannot carry, by path
  std::set<std::string, std::less<>> ignored;             // files that git ignores or a build made
};

// Notes for the user about files that the draft does not have either.
std::vector<std::string> notes_of(const CommandFiles& left, const std::vector<ChangedFile>& draft);
// Says what the user may want to know and need not act on; or "".
std::string words_of_ignored(const CommandFiles& left, const std::vector<ChangedFile>& draft);

struct TakenChanges {
  std::string
      told;  // for the model: what was accepted, what was not and why; empty: nothing changed
  bool edited = false;
};

// Takes what an edit could have done, file by file: the gate is asked, and what is private or no
// path of an edit is named and stays as it is. Where a file took the place of a folder or a folder
// that of a file, all of it is taken or nothing; nothing that replaced a link is taken. What
// no proposal can carry (files that git ignores, that are not text or too large, links, modes) goes
// to bench.command_files. `begun`: before the command; what was written on the disk since is not
// overwritten.
TakenChanges take_changes(ToolBench& bench, const SandboxChanges& changes,
                          std::chrono::system_clock::time_point begun, const Task& task);

}  // namespace bodkin
