#include "agent/ask/moved_places.h"

#include <algorithm>
#include <ranges>
#include <tuple>
#include <utility>
#include <vector>

#include "edits/plan/diff.h"

namespace bodkin {

namespace {

// A part of the old text, as part of the new one.
std::pair<size_t, size_t> moved(size_t begin, size_t end, const std::vector<Replacement>& changes) {
  for (const Replacement& change : changes | std::views::reverse) {
    const size_t last = change.offset + change.length;
    if (change.offset >= end && change.offset > begin) continue;
    // From the end, so that the offsets of the others remain those of the old text.
    if (last <= begin) {
      begin = begin - change.length + change.text.size();
    } else {
      begin = std::min(begin, change.offset);
    }
    end = std::max(end, last) - change.length + change.text.size();
  }
  return {begin, end};
}

}  // namespace

void move_places(Ask& ask, const Text& before, const Text& now) {
  if (before == now) return;
  const std::vector<Replacement> changes = changed_lines(before, now);
  const auto move_lines = [&](LineRange& lines) {
    const auto [begin, end] =
        moved(before.line_begin(lines.begin), before.line_begin(lines.end), changes);
    const bool is_to_end = lines.end >= before.line_count() && end == now.size();
    lines = {now.line_of(begin), is_to_end ? now.line_count() : now.line_of(end)};
  };
  if (ask.selection) move_lines(ask.selection->lines);
  for (Diagnostic& diagnostic : ask.diagnostics) {
    move_lines(diagnostic.lines);
    std::tie(diagnostic.begin_byte, diagnostic.end_byte) =
        moved(diagnostic.begin_byte, diagnostic.end_byte, changes);
  }
}

}  // namespace bodkin
