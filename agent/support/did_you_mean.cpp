#include "agent/support/did_you_mean.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bodkin {

namespace {

// The number of characters to be added, left out, replaced or swapped with the next one.
size_t typing_errors(std::string_view given, std::string_view meant) {
  std::vector<size_t> before(meant.size() + 1), above(meant.size() + 1), row(meant.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= given.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (size_t j = 1; j <= meant.size(); ++j) {
      row[j] =
          std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (given[i - 1] != meant[j - 1])});
      if (i > 1 && j > 1 && given[i - 1] == meant[j - 2] && given[i - 2] == meant[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string did_you_mean(const std::string& given, const std::vector<std::string>& names) {
  size_t least = std::min<size_t>(3, given.size() / 2 + 1);
  std::string found;
  for (const std::string& name : names) {
    const size_t errors = typing_errors(given, name);
    if (errors > least || (errors == least && found.empty())) continue;
    found = errors < least ? name : "";  // of two that are as near neither is meant
    least = errors;
  }
  return found.empty() ? "" : " (did you mean " + found + "?)";
}

}  // namespace bodkin
