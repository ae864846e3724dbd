// The ways of building a sandbox that this machine allows to this user; those that it does not are
// told once, with the reason.
#pragma once

#include <chrono>
#include <iostream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "agent/process_list.h"
#include "agent/sandbox/linux/sandbox_plan.h"

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

// Waits until the command in a sandbox runs, of which all is in place then: one whose command line
// contains `mark`.
inline void wait_for_command(const std::string& mark, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    for (const std::string& line : command_lines())
      if (line.find(mark) != line.npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace bodkin
