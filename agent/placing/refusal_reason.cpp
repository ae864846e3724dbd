#include "agent/placing/refusal_reason.h"

#include <fmt/format.h>

namespace bodkin {

std::string reason_for_user(const ApplyReport& report) {
  const HunkReport* first = nullptr;
  size_t failed = 0;
  for (const HunkReport& hunk : report.hunks) {
    if (!hunk.failure) continue;
    if (!first) first = &hunk;
    ++failed;
  }
  if (!first && !report.failure) return "The edit was refused.";
  const std::string& why = (first ? first->failure : report.failure)->message;
  if (!first) return why + ".";
  if (report.hunks.size() == 1) return "The edit was refused: " + why + ".";
  return fmt::format("{} of {} edits {} refused; the first (line {} of the reply): {}.", failed,
                     report.hunks.size(), failed == 1 ? "was" : "were", first->source_line, why);
}

std::vector<Unplaced> unplaced_of(const ApplyReport& report) {
  std::vector<Unplaced> unplaced;
  for (const HunkReport& hunk : report.hunks) {
    if (hunk.failure) unplaced.push_back({hunk.path, hunk.failure->kind});
  }
  return unplaced;
}

}  // namespace bodkin
