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

std::string explain_without_lines(const ApplyReport& report) {
  constexpr size_t kMaxTold = 20;
  std::string told = "Nothing was changed.\n";
  size_t count = 0;
  for (const HunkReport& hunk : report.hunks) {
    if (!hunk.failure || ++count > kMaxTold) continue;
    const bool is_of_reply = hunk.failure->kind == FailureKind::malformed ||
                             hunk.failure->kind == FailureKind::truncated;
    told += fmt::format(
        "{}: hunk {} (line {} of your edit) does not {}.\n", name_of(hunk.failure->kind),
        hunk.hunk + 1, hunk.source_line,
        is_of_reply ? "end, or cannot be parsed" : "match exactly one place of " + hunk.path);
  }
  if (count > kMaxTold) told += fmt::format("({} more did not match)\n", count - kMaxTold);
  if (count == 0 && report.failure)
    told += fmt::format("{}: the edit does not match.\n", name_of(report.failure->kind));
  return told + "Files are not quoted here, since you may not read them without permission.\n";
}

std::vector<Unplaced> unplaced_of(const ApplyReport& report) {
  std::vector<Unplaced> unplaced;
  for (const HunkReport& hunk : report.hunks) {
    if (hunk.failure) unplaced.push_back({hunk.path, hunk.failure->kind});
  }
  return unplaced;
}

}  // namespace bodkin
