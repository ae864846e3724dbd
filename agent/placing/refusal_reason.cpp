#include "agent/placing/refusal_reason.h"

#include <fmt/format.h>

namespace bodkin {

std::string without_advice(std::string_view message) {
  const size_t colon = message.find(": ");
  const bool has_kind = message.substr(0, colon).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") ==
                        std::string_view::npos;
  if (colon != message.npos && has_kind) message.remove_prefix(colon + 2);
  message = message.substr(0, message.rfind("; "));
  if (message.ends_with('.')) message.remove_suffix(1);
  return std::string(message);
}

namespace {

// Without the "hunk 2 (line 4 of your edit): " that is for who wrote the edit.
std::string reason_of(const Failure& failure) {
  std::string why = without_advice(failure.message);
  if (const size_t end = why.find("): "); why.starts_with("hunk ") && end != why.npos)
    why.erase(0, end + 3);
  return why;
}

}  // namespace

std::string reason_for_user(const ApplyReport& report) {
  const HunkReport* first = nullptr;
  size_t failed = 0;
  for (const HunkReport& hunk : report.hunks) {
    if (!hunk.failure) continue;
    if (!first) first = &hunk;
    ++failed;
  }
  if (!first && !report.failure) return "The edit was refused.";
  if (!first) return reason_of(*report.failure) + ".";
  std::string why;
  switch (first->failure->kind) {
    case FailureKind::not_found:
      why = reason_of(*first->failure);
      if (why.starts_with("its lines are not in "))
        why = "the lines it changes are not in " + first->path;
      break;
    case FailureKind::ambiguous:
      why = reason_of(*first->failure);
      // What a sketch leaves open is more than its place.
      if (why.find(" of the sketch: ") == why.npos)
        why = "it matches more than one place in " + first->path;
      break;
    case FailureKind::conflict:
      why = "another edit changes the same lines of " + first->path;
      break;
    case FailureKind::truncated:
      why = "the reply was cut off in the middle of it";
      break;
    case FailureKind::malformed:
    case FailureKind::exists:
    case FailureKind::stale_path:
      why = reason_of(*first->failure);
  }
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
