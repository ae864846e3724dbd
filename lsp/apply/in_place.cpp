#include "lsp/apply/in_place.h"

#include <algorithm>

namespace bodkin {

bool is_half_written(std::string_view text, std::string_view before, std::string_view after) {
  const auto differs = std::ranges::mismatch(text, after);
  const size_t same = static_cast<size_t>(differs.in1 - text.begin());
  return text.substr(same) == before.substr(std::min(same, before.size()));
}

}  // namespace bodkin
