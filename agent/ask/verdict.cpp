#include "agent/ask/verdict.h"

#include <algorithm>

namespace bodkin {

std::string_view name_of(CheckResult::State state) {
  switch (state) {
    case CheckResult::State::clean:
      return "clean";
    case CheckResult::State::problems:
      return "problems";
    case CheckResult::State::not_checked:
      break;
  }
  return "not_checked";
}

size_t CheckResult::new_errors() const {
  return static_cast<size_t>(std::ranges::count(
      added, Severity::error, [](const auto& problem) { return problem.severity; }));
}

}  // namespace bodkin
