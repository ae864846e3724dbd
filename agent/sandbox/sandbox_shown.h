// What proposed code finds of the places that are hidden from it: tools, their caches, and what the
// user names. One maintained table, in sandbox_shown.cpp.
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"

namespace bodkin {

struct ShownPlaces {               // absolute; each is there and can be read
  std::set<std::string> readable;  // files and folders, as they are
  std::set<std::string> caches;    // folders that can be written; what is written is dropped
  // Private files, sockets and pipes in what the user named: these stay hidden.
  std::vector<std::string> hidden;
};

// For a run of `command`. `home`: the user's, canonical; may be empty. Stopped, it shows less.
ShownPlaces shown_places(const SandboxSettings& settings, const std::vector<std::string>& command,
                         const std::string& home, const std::stop_token& stop);

}  // namespace bodkin
