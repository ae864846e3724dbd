#include "agent/placing/made_already.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "agent/placing/known_files.h"
#include "edits/apply/apply.h"
#include "edits/plan/diff.h"

namespace bodkin {

namespace {

// Whether the draft's change of `file` has all that the hunk changes.
bool is_made(const FileChange& change, const Hunk& hunk, const ChangedFile& file,
             const Syntax* syntax) {
  FileChange alone = change;
  alone.path = file.path;
  alone.hunks = {hunk};
  const ApplyReport placed = apply({{alone}, {}}, OneFile(file.path, *file.before), syntax, {});
  if (!placed.ok || placed.files.size() != 1 || !placed.files[0].after) return false;
  const std::vector<Replacement> drafted = changed_lines(*file.before, *file.after);
  const std::vector<Replacement> wanted = changed_lines(*file.before, *placed.files[0].after);
  return !wanted.empty() && std::ranges::all_of(wanted, [&](const Replacement& one) {
    return std::ranges::find(drafted, one) != drafted.end();
  });
}

}  // namespace

NotYetMade not_yet_made(const EditPlan& plan, const ApplyReport& report, const Draft& draft,
                        const Syntax* syntax) {
  const std::vector<ChangedFile> drafted = draft.files();
  const auto is_gone = [](const HunkReport& hunk) {
    return hunk.failure && hunk.failure->kind == FailureKind::not_found;
  };
  NotYetMade result{plan, {}};
  size_t next = 0;  // of the report's hunks, which apply() counts so
  for (FileChange& change : result.plan.changes) {
    if (change.kind != FileChange::Kind::update) {
      ++next;
      continue;
    }
    std::erase_if(change.hunks, [&](const Hunk& hunk) {
      if (next >= report.hunks.size()) return false;
      const HunkReport& failed = report.hunks[next++];
      if (!is_gone(failed) || change.rename_to) return false;
      const auto file = std::ranges::find(drafted, failed.path, &ChangedFile::path);
      if (file == drafted.end() || !file->before || !file->after || file->rename_to ||
          !is_made(change, hunk, *file, syntax))
        return false;
      HunkReport made;
      made.state = HunkReport::State::already_applied;
      made.path = failed.path;
      made.hunk = failed.hunk;
      made.source_line = failed.source_line;
      result.made.push_back(std::move(made));
      return true;
    });
  }
  std::erase_if(result.plan.changes, [](const FileChange& change) {
    return change.kind == FileChange::Kind::update && change.hunks.empty() && !change.rename_to;
  });
  return result;
}

}  // namespace bodkin
