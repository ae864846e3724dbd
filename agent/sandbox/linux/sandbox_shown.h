// Exceptions from what is hidden from proposed code: tools, their caches, and what the user's
// settings name. One maintained table, in sandbox_shown.cpp.
#pragma once

#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"

namespace bodkin {

struct ShownPlaces {               // absolute; all exist and are readable
  std::set<std::string> readable;  // files and folders, as they are
  std::set<std::string> caches;    // writable folders; what is written is discarded
  // Private files, sockets and pipes in what the user named: they stay hidden.
  std::vector<std::string> hidden;
};

// Returns the places for a run of `command`. `home`: the user's, canonical; may be empty. If
// stopped, it returns less.
ShownPlaces shown_places(const SandboxSettings& settings, const std::vector<std::string>& command,
                         const std::string& home, const std::stop_token& stop);

}  // namespace bodkin
