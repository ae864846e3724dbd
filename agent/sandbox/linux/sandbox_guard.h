// Runs the command of a sandbox, from inside, and supervises it.
#pragma once

#include <functional>
#include <string>

#include "agent/sandbox/linux/sandbox_plan.h"

namespace bodkin {

// Called in a single-threaded process that is PID 1 of a PID namespace, or the subreaper of
// everything it starts. Returns when the command has ended, timed out, or exceeded a limit.
// `folder`: where it runs. `end_on_signal`: SIGTERM also ends it. `why_not_shown`: says why nothing
// of it may be used, or nothing; asked now and then, on SIGIO, and when it has ended.
void run_guarded(const SandboxPlan& plan, const std::string& folder, SandboxReport& report,
                 bool end_on_signal,
                 const std::function<std::string(bool is_last)>& why_not_shown = nullptr);

}  // namespace bodkin
