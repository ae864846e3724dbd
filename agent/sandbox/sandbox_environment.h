// What a program in the sandbox finds in its environment.
#pragma once

#include <string>
#include <vector>

#include "agent/sandbox/sandbox.h"
#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

// "NAME=value" of the variables that pass. An allow-list, since no list of secrets' names is
// complete. `home`: the one that the program sees; empty: none.
std::vector<std::string> environment_of(const SandboxSettings& settings, const std::string& home,
                                        SandboxPlan::Isolation way);

}  // namespace bodkin
