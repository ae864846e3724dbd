#include "lsp/folder/followed_files.h"

#include <algorithm>

#include "lsp/sessions/changed_files.h"
#include "lsp/sessions/proposal_draft.h"
#include "lsp/sessions/unseen_change.h"

namespace bodkin {

FollowedFiles followed_files(const std::vector<ChangedFile>& draft, Workspace& workspace,
                             const Task& task) {
  using State = ProposedHunk::State;
  FollowedFiles result;
  Proposal proposal;
  proposal.files = proposed_files(draft, workspace.roots(task));
  for (ProposedFile& file : proposal.files) {
    const auto now = workspace.read(file.name.path, task);
    if (file.kind == ProposedFile::Kind::create) {
      if (!now) continue;
      result.has_moved = true;  // somebody else has created it
      result.left_out.push_back(file.name.path);
      file.hunks[0].state = State::discarded;
      continue;
    }
    if (now && now->text == file.text) continue;
    result.has_moved = true;
    take_unseen_change(file, now ? now->text : Text());
    const auto is_stale = [](const ProposedHunk& hunk) { return hunk.state != State::pending; };
    // A file goes away, or elsewhere, with all that was seen of it.
    const bool goes = file.kind == ProposedFile::Kind::remove || file.moved_to || !now;
    const bool has_stale = std::ranges::any_of(file.hunks, is_stale);
    if (!has_stale && !goes) continue;
    result.left_out.push_back(file.name.path);
    for (ProposedHunk& hunk : file.hunks)
      if (goes || is_stale(hunk)) hunk.state = State::discarded;
  }
  if (!result.has_moved) {
    result.draft = draft;
  } else if (auto made = draft_of(proposal)) {
    result.draft = *std::move(made);
  }
  return result;
}

}  // namespace bodkin
