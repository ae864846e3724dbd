// The isolation that bodkin sets up itself, from inside new namespaces. Linux only.
#pragma once

#include <memory>
#include <vector>

#include "agent/sandbox/linux/sandbox_changes.h"
#include "agent/sandbox/linux/sandbox_plan.h"

namespace bodkin {

class PrivateWatch;

struct Isolated {
  bool no_overlay = false;    // nothing is set up: a folder must be copied instead
  bool has_channels = false;  // Privileges::unix_sockets must be false
  bool are_tools = false;     // also since tools or caches are the disk's own
  std::shared_ptr<PrivateWatch> watch;
  std::vector<SandboxLayer> layers;  // each folder's, kept open if the plan wants the changes
};

// Called in a process that is alone in new mount, PID and (without network) network namespaces and
// may mount there. Afterwards it sees what the plan says. Error: nothing may run.
Result<Isolated> set_up_isolation(const SandboxPlan& plan, SandboxReport& report);

}  // namespace bodkin
