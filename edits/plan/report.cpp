#include "edits/plan/report.h"

namespace bodkin {

std::string_view name_of(MatchQuality quality) {
  static constexpr std::string_view kNames[] = {
      "exact",      "substring", "trailing_space", "punctuation", "indentation", "trimmed",
      "whitespace", "cosmetic",  "elision",        "gaps",        "fuzzy"};
  return kNames[static_cast<size_t>(quality)];
}

}  // namespace bodkin
