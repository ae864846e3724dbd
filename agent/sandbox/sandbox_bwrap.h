// A sandbox set up by bwrap(1) (bubblewrap 0.8, Debian 12).
#pragma once

#include <string>
#include <vector>

#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

// The whole command line, up to the inner launcher. Empty: there is no bwrap.
std::vector<std::string> bwrap_command(const SandboxPlan& plan);

}  // namespace bodkin
