// Proposals as the history keeps them: independent of the run, and without secrets unless they are
// exact (ProposalRow).
#pragma once

#include "agent/history/history.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

// `session`: of its ask; may be empty. `workspace`: Roots::key().
ProposalRow row_of(const Proposal& proposal, const std::string& session,
                   const std::string& workspace);

// The row kept in the history before an edit leaves, or files are written, until its outcome is
// known: `before`, which `after` is to replace. An undo and a redo find it, and the files say the
// rest.
ProposalRow row_meanwhile(Proposal before, const Proposal& after, const std::string& session,
                          const std::string& workspace);

// Hands it to the history. `is_written`: see HistoryStore::put_proposal.
void keep_proposal(History& history, Proposal proposal, const std::string& session,
                   const std::string& workspace, bool is_written = false);

// Whether the history would keep stars in place of a secret in a changed text, which then can
// neither be undone nor redone.
bool is_kept_in_part(const ProposedFile& file);

// The proposal when it was kept: its texts have stars for secrets, until compare_with_now() has
// seen the files. Error: unavailable (it is damaged).
Result<Proposal> proposal_of(const ProposalRow& row);
inline Result<Proposal> proposal_of(const Result<ProposalRow>& row) {
  return row ? proposal_of(*row) : std::unexpected(row.error());
}

// Brings a file of a proposal from the history up to date: its hunks are moved to where they are in
// the text that it has now, if their lines and the lines next to them are as they were, and else
// stale. `files_decide`: see take_unseen_change().
void compare_with_now(ProposedFile& file, const Text& now, bool files_decide = false);

}  // namespace bodkin
