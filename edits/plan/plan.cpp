#include "edits/plan/plan.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <unordered_map>

namespace bodkin {

void merge_and_sort_changes(EditPlan& plan) {
  using Kind = FileChange::Kind;
  if (plan.changes.size() < 2) return;
  std::stable_sort(
      plan.changes.begin(), plan.changes.end(),
      [](const FileChange& a, const FileChange& b) { return a.source_line < b.source_line; });
  std::unordered_map<std::string_view, FileChange*> updates;
  std::vector<char> joined(plan.changes.size(), 0);
  for (size_t i = 0; i < plan.changes.size(); ++i) {
    FileChange& change = plan.changes[i];
    if (change.kind == Kind::create) {
      // A patch that deletes a file by a command and adds it again replaces it.
      const auto begin = plan.changes.begin(), here = begin + static_cast<long>(i);
      const auto is_same = [&](const FileChange& other) { return other.path == change.path; };
      const auto removal = std::find_if(begin, here, is_same);
      if (removal != here && removal->kind == Kind::remove && removal->hunks.empty() &&
          std::count_if(begin, plan.changes.end(), is_same) == 2) {
        change.kind = Kind::overwrite;
        change.said_by = Readded{};
        joined[static_cast<size_t>(removal - begin)] = 1;
      }
    }
    if (change.kind != Kind::update) continue;
    const auto [entry, is_new] = updates.try_emplace(change.path, &change);
    FileChange& first = *entry->second;
    if (is_new || (first.rename_to && change.rename_to)) continue;
    std::move(change.hunks.begin(), change.hunks.end(), std::back_inserter(first.hunks));
    if (change.rename_to) first.rename_to = std::move(change.rename_to);
    joined[i] = 1;
  }
  size_t i = 0;
  std::erase_if(plan.changes, [&](const FileChange&) { return joined[i++] == 1; });
}

}  // namespace bodkin
