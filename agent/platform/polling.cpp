#include "agent/platform/polling.h"

#include <algorithm>
#include <cstdint>

namespace bodkin {

int poll_time_until(std::chrono::steady_clock::time_point end) {
  const auto left = end - std::chrono::steady_clock::now();
  return static_cast<int>(
      std::clamp<int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 0, 60'000));
}

}  // namespace bodkin
