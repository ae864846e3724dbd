// The ways of building a sandbox that this machine allows to this user; those that it does not are
// told once, with the reason.
#pragma once

#include <iostream>
#include <vector>

#include "agent/sandbox/sandbox_plan.h"

namespace bodkin {

inline const std::vector<SandboxPlan::Isolation>& ways_here() {
  using Isolation = SandboxPlan::Isolation;
  static const std::vector<Isolation> ways = [] {
    std::vector<Isolation> result;
    for (const Isolation way : {Isolation::user_namespaces, Isolation::root_namespaces,
                                Isolation::inside, Isolation::open}) {
      SandboxRun probe;
      probe.command = {"true"};
      const auto outcome = run_with(probe, way, {});
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
