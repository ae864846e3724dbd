#include "agent/ask/verdict.h"

#include <algorithm>

namespace bodkin {

std::string_view name_of(CheckResult::State state) {
  constexpr std::string_view kNames[] = {"clean", "problems", "not_checked"};
  return kNames[static_cast<size_t>(state)];
}

size_t CheckResult::new_errors() const {
  return static_cast<size_t>(std::ranges::count(
      added, Severity::error, [](const auto& problem) { return problem.severity; }));
}

}  // namespace bodkin
