// The ways of building a sandbox that this machine allows to this user; those that it does not are
// told once, with the reason.
#pragma once

#include <iostream>
#include <vector>

#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

inline const std::vector<SandboxPlan::Way>& ways_here() {
  using Way = SandboxPlan::Way;
  static const std::vector<Way> ways = [] {
    std::vector<Way> result;
    for (const Way way : {Way::user_namespaces, Way::root_namespaces, Way::inside, Way::open}) {
      SandboxRun probe;
      probe.command = {"true"};
      const auto outcome = run_in_way(probe, way, {});
      if (outcome && outcome->exit_code == 0) {
        result.push_back(way);
      } else {
        std::cout << "skip: way " << static_cast<int>(way)
                  << " of a sandbox: " << (outcome ? "true fails" : outcome.error().message)
                  << "\n";
      }
    }
    return result;
  }();
  return ways;
}

}  // namespace bodkin
