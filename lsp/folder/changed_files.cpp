#include "lsp/folder/changed_files.h"

#include <algorithm>
#include <utility>

#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

std::vector<ChangedFile> changed_files(const std::vector<DraftFile>& draft) {
  std::vector<ChangedFile> files;
  for (const DraftFile& from : draft) {
    ChangedFile file;
    file.path = from.path;
    file.rename_to = from.moved_to;
    if (from.base) file.before = from.base->text;
    file.after = from.text;
    files.push_back(std::move(file));
  }
  return files;
}

std::vector<DraftFile> draft_files(const std::vector<ChangedFile>& files) {
  std::vector<DraftFile> draft;
  for (const ChangedFile& from : files) {
    DraftFile file{.path = from.path, .text = from.after, .moved_to = from.rename_to};
    if (from.before) file.base = Snapshot{from.path, std::nullopt, *from.before};
    draft.push_back(std::move(file));
  }
  return draft;
}

ChangedFile with_hunks(const ProposedFile& file, const std::vector<size_t>& hunks) {
  ChangedFile changed;
  changed.path = file.name.path;
  if (file.kind != ProposedFile::Kind::create) changed.before = file.text;
  if (file.kind != ProposedFile::Kind::remove) changed.after = offer_of(file, &hunks).text;
  if (file.moved_to) changed.rename_to = file.moved_to->path;
  return changed;
}

std::vector<ChangedFile> with_hunks(const Proposal& proposal, const std::vector<size_t>& hunks,
                                    std::vector<std::string>& kept) {
  std::vector<ChangedFile> files;
  for (const ProposedFile& file : proposal.files) {
    if (std::ranges::none_of(file.hunks,
                             [&](const ProposedHunk& hunk) { return is_listed(hunk, &hunks); }))
      continue;
    if (is_move_without_target(proposal, file, &hunks)) {
      kept.push_back(file.name.path);
    } else {
      files.push_back(with_hunks(file, hunks));
    }
  }
  return files;
}

}  // namespace bodkin
