#include "lsp/apply/applied_before.h"

#include <algorithm>

#include "lsp/apply/folder_changes.h"
#include "lsp/apply/kept_changes.h"

namespace bodkin {

namespace {

// The folder as it was before a change that is kept.
class FilesBefore : public FolderFiles {
 public:
  FilesBefore(const ConfinedFolder& folder, const KeptChange& change)
      : FolderFiles(folder), change_(change) {}
  std::optional<Text> read(std::string_view path) const override {
    for (const KeptFile& file : change_.files) {
      if (file.path == path) return file.before;
      if (file.rename_to == path) return std::nullopt;
    }
    return FolderFiles::read(path);
  }

 private:
  const KeptChange& change_;
};

bool is_in_place(const KeptChange& change, const Files& now) {
  return std::ranges::all_of(change.files, [&](const KeptFile& file) {
    return !(file.rename_to && now.read(file.path)) &&
           now.read(file.rename_to.value_or(file.path)) == file.after;
  });
}

bool is_same(const KeptChange& change, const ApplyReport& report) {
  return report.ok && report.files.size() == change.files.size() &&
         std::ranges::all_of(change.files, [&](const KeptFile& kept) {
           const auto same = std::ranges::find(report.files, kept.path, &ChangedFile::path);
           return same != report.files.end() && same->rename_to == kept.rename_to &&
                  same->after == kept.after;
         });
}

}  // namespace

std::optional<ApplyReport> applied_before(const ConfinedFolder& folder,
                                          const std::function<ApplyReport(const Files&)>& place) {
  ApplyReport report;
  const FolderFiles now(folder);
  const auto found = newest_change(
      [&](const KeptChange& change) {
        if (change.root != folder.path() || !is_in_place(change, now)) return false;
        report = place(FilesBefore(folder, change));
        return is_same(change, report);
      },
      Kept::made, &folder);
  if (!found) return std::nullopt;
  for (HunkReport& hunk : report.hunks) {
    hunk = {.state = HunkReport::State::already_applied, .path = hunk.path, .hunk = hunk.hunk};
  }
  return report;
}

}  // namespace bodkin
