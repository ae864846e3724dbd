// A sandbox set up by bwrap(1) (bubblewrap 0.8, Debian 12).
//
// If bubblewrap 0.11 may be required, which has overlays (Debian 12's 0.8 has none), the copy of
// the workspace for this way goes (make_copies, run_inside, most of scratch.cpp), and that Unix
// sockets are refused here. If our own launcher goes instead, so do sandbox_walls, shown_mounts,
// mounts, and the namespaces of sandbox_launcher: some 900 lines, the price of needing no program.
// What is private, what has changed, the guard and the system call filter stay in any case.
#pragma once

#include <string>
#include <vector>

#include "agent/sandbox/linux/sandbox_plan.h"

namespace bodkin {

// The whole command line, up to the inner launcher. Empty if there is no bwrap.
std::vector<std::string> bwrap_command(const SandboxPlan& plan);

}  // namespace bodkin
