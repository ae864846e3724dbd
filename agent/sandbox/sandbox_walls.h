// The isolation that bodkin sets up itself, from inside new namespaces. Linux only.
#pragma once

#include <vector>

#include "agent/sandbox/sandbox_changes.h"
#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

// Called in a process that is alone in new mount, PID and (without network) network namespaces and
// may mount there. Afterwards it sees what the plan says. Error: nothing may run. no_overlay: a
// folder must be copied instead. `layers`: each folder's, kept open if the plan wants the changes.
Result<void> set_up_isolation(const SandboxPlan& plan, SandboxReport& report, bool& no_overlay,
                              std::vector<SandboxLayer>& layers);

// Permanent, also for this process's children: no capabilities and no way to gain any, none of the
// calls that sandbox_calls.h forbids, and its children can neither trace it nor read its /proc.
// `abstract_sockets`: those of programs outside stay reachable. Error: nothing may run.
Result<void> drop_privileges(bool abstract_sockets);

}  // namespace bodkin
