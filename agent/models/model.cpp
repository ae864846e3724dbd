#include "agent/models/model.h"

namespace bodkin {

std::string_view name_of(StopReason reason) {
  switch (reason) {
    case StopReason::end_turn:
      return "end_turn";
    case StopReason::tool_use:
      return "tool_use";
    case StopReason::max_tokens:
      return "max_tokens";
    case StopReason::refusal:
      return "refusal";
    case StopReason::other:
      break;
  }
  return "other";
}

}  // namespace bodkin
