// Runs the command of a sandbox, from inside, and watches it.
#pragma once

#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

// In a process of one thread, PID 1 of a PID namespace or the reaper of all that it starts. Returns
// when the command has ended, its time is over, or it took too much. `folder`: where it runs.
// `end_on_signal`: SIGTERM ends it, too.
void run_guarded(const SandboxPlan& plan, const std::string& folder, SandboxReport& report,
                 bool end_on_signal);

}  // namespace bodkin
