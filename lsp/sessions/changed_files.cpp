#include "lsp/sessions/changed_files.h"

#include <fmt/format.h>

#include "edits/plan/diff.h"
#include "lsp/sessions/proposal_draft.h"

namespace bodkin {

ChangedFile with_hunks(const ProposedFile& file, const std::vector<size_t>* hunks) {
  ChangedFile changed;
  changed.path = file.name.path;
  changed.quality = file.hunks[0].quality;
  if (file.kind != ProposedFile::Kind::create) changed.before = file.text;
  if (file.kind != ProposedFile::Kind::remove) changed.after = offer_of(file, hunks).text;
  if (file.moved_to) changed.rename_to = file.moved_to->path;
  return changed;
}

std::vector<ChangedFile> with_hunks(const Proposal& proposal, const std::vector<size_t>& hunks,
                                    std::vector<std::string>& kept) {
  std::vector<ChangedFile> files;
  for (const ProposedFile& file : proposal.files) {
    if (!has_listed(file, &hunks)) continue;
    if (is_move_without_target(proposal, file, &hunks)) {
      kept.push_back(file.name.path);
    } else {
      files.push_back(with_hunks(file, &hunks));
    }
  }
  return files;
}

Result<std::vector<ChangedFile>> draft_of(const Proposal& proposal) {
  std::vector<ChangedFile> result;
  for (const ProposedFile& file : proposal.files) {
    bool taken = false;
    for (const ProposedHunk& hunk : file.hunks) {
      if (hunk.state == ProposedHunk::State::stale) {
        return fail(Error::Code::stale,
                    file.name.path + " changed since the proposal was made. Ask again.");
      }
      taken = taken || hunk.state == ProposedHunk::State::pending;
    }
    if (!taken || is_move_without_target(proposal, file, nullptr)) continue;
    result.push_back(with_hunks(file, nullptr));
  }
  if (result.empty()) {
    return fail(Error::Code::stale, "This proposal has nothing left to refine.");
  }
  return result;
}

std::string diff_of(const ChangedFile& file) {
  const std::string diff =
      unified_diff(file.path, file.rename_to ? *file.rename_to : file.path,
                   file.before ? &*file.before : nullptr, file.after ? &*file.after : nullptr);
  if (!file.rename_to) return diff;
  return fmt::format("diff --git a/{0} b/{1}\nrename from {0}\nrename to {1}\n{2}", file.path,
                     *file.rename_to, diff);
}

std::string diff_of(const std::vector<ChangedFile>& files) {
  std::string diff;
  for (const ChangedFile& file : files) diff += diff_of(file);
  return diff;
}

}  // namespace bodkin
