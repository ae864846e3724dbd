#include "edits/plan/failure.h"

namespace bodkin {

std::string_view name_of(FailureKind kind) {
  static constexpr std::string_view kNames[] = {"ambiguous", "not_found", "conflict",  "truncated",
                                                "malformed", "exists",    "stale_path"};
  return kNames[static_cast<size_t>(kind)];
}

std::string with_advice(const Failure& failure) {
  return failure.message + (failure.advice.empty() ? "" : "; ") + failure.advice;
}

std::string for_model(const Failure& failure) {
  return std::string(name_of(failure.kind)) + ": " + with_advice(failure);
}

}  // namespace bodkin
