// The walls of a sandbox that bodkin builds itself, from inside of new namespaces. Linux only.
#pragma once

#include <vector>

#include "agent/sandbox/sandbox_changes.h"
#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

// In a process that is alone in new mount, PID and (without network) network namespaces and may
// mount there: what it sees is then what the plan says. Error: nothing may run. no_overlay: a
// folder needs a copy. `layers`: of each folder, kept open if the plan wants the changes.
Result<void> build_walls(const SandboxPlan& plan, SandboxReport& report, bool& no_overlay,
                         std::vector<SandboxLayer>& layers);

// For ever, also for what this process starts: no capabilities, none to be had, no call that
// sandbox_calls.h forbids, and no debugger or /proc of its children reaches it. `abstract_sockets`:
// of programs outside stay reachable. Error: nothing may run.
Result<void> give_up_rights(bool abstract_sockets);

}  // namespace bodkin
