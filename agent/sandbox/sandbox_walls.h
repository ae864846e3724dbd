// The isolation that bodkin sets up itself, from inside new namespaces. Linux only.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

#include "agent/sandbox/sandbox_changes.h"
#include "agent/sandbox/sandbox_plan.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// A folder of the disk that a sandbox goes on to show as it changes.
struct LiveFolder {
  std::string name;  // its path, for messages
  int folder = -1;   // open
  IgnoreLists ignored;
  std::set<std::string> hidden;     // what was private when it was set up
  std::vector<std::string> covers;  // absolute paths at which something empty is mounted,
  dev_t cover_device = 0;           // of this device
};

// A private file that is there now and was not, or whose cover is gone: the end of a sentence.
// Empty: there is none.
std::string private_file_born_in(const std::vector<LiveFolder>& folders);

struct Isolated {
  bool no_overlay = false;    // nothing is set up: a folder must be copied instead
  bool has_channels = false;  // Privileges::unix_sockets must be false
  std::vector<LiveFolder> live;
  std::vector<SandboxLayer> layers;  // each folder's, kept open if the plan wants the changes
};

// Called in a process that is alone in new mount, PID and (without network) network namespaces and
// may mount there. Afterwards it sees what the plan says. Error: nothing may run.
Result<Isolated> set_up_isolation(const SandboxPlan& plan, SandboxReport& report);

}  // namespace bodkin
