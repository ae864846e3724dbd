#include "agent/ask/ask.h"

namespace bodkin {

const char* name_of(Outcome::End end) {
  constexpr const char* kNames[] = {"done", "limit", "refused", "cancelled", "failed"};
  return kNames[static_cast<size_t>(end)];
}

}  // namespace bodkin
