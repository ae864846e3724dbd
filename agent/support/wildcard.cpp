#include "agent/support/wildcard.h"

#include <algorithm>
#include <vector>

namespace bodkin {

bool wildcard_matches(std::string_view pattern, std::string_view text, std::optional<char> open) {
  std::vector<bool> reached(pattern.size() + 1);  // how much of the pattern is matched by now
  reached[0] = true;
  const auto pass_stars = [&] {
    for (size_t i = 0; i < pattern.size(); ++i)
      if (reached[i] && pattern[i] == '*') reached[i + 1] = true;
  };
  pass_stars();
  for (const char c : text) {
    if (c == open) {
      const auto first = std::ranges::find(reached, true);
      std::fill(first, reached.end(), true);
      continue;
    }
    bool is_any = false;
    for (size_t i = pattern.size() + 1; i-- > 0;) {
      const bool stays = reached[i] && i < pattern.size() && pattern[i] == '*';
      const bool comes = i > 0 && reached[i - 1] && pattern[i - 1] == c;
      reached[i] = stays || comes;
      is_any = is_any || reached[i];
    }
    if (!is_any) return false;
    pass_stars();
  }
  return reached.back();
}

}  // namespace bodkin
