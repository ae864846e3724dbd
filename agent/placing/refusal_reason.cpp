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
  return fmt::format("{} of {} edits {} (line {} of the reply): {}.", failed, report.hunks.size(),
                     failed == 1 ? "was refused" : "were refused; the first", first->source_line,
                     why);
}

std::string explain_without_lines(const ApplyReport& report) {
  constexpr size_t kMaxTold = 20;
  std::string told = "Nothing was changed.\n";
  size_t count = 0;
  for (const HunkReport& hunk : report.hunks) {
    if (!hunk.failure || ++count > kMaxTold) continue;
    told += fmt::format("{}: hunk {} (line {} of your edit) was not placed in {}{}\n",
                        name_of(hunk.failure->kind), hunk.hunk + 1, hunk.source_line, hunk.path,
                        hunk.failure->kind == FailureKind::stale_path
                            ? ": " + with_advice(*hunk.failure)  // of the path alone
                            : ".");
  }
  if (count > kMaxTold) told += fmt::format("({} more were not placed)\n", count - kMaxTold);
  if (count == 0 && report.failure)
    told += fmt::format("{}: the edit was not placed.\n", name_of(report.failure->kind));
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
