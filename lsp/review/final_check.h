// The final check of a proposal before its edit is sent, as a command or a code action.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "lsp/sessions/proposal.h"
#include "lsp/workspace/documents.h"

namespace bodkin::lsp {

struct NotSent {
  std::optional<Proposal::State> state;  // that the proposal has now; nothing: that of its hunks
  std::string message;                   // for the user
};

// The pending hunks, of those listed if `only` is given, which may be sent as one edit: every text,
// name and place is still what the proposal was made for. Reads files that are not open from the
// disk again, and makes hunks stale whose text has changed. Main thread.
std::expected<std::vector<size_t>, NotSent> final_check(Proposal& proposal,
                                                        const std::vector<size_t>* only,
                                                        const Documents& documents);

// Files that are not open in the editor may have changed without notification.
void read_from_disk_again(Proposal& proposal, const Documents& documents);

// Whether an open file still has changes of the proposal which the file on the disk has not any
// more: another program has undone them there, and the editor has not read that.
bool is_undone_on_disk(const Proposal& proposal, const Documents& documents);

// Why the edits of some of these hunks may land elsewhere in the editor; empty: they cannot.
std::string why_no_places(const Proposal& proposal, const std::vector<size_t>& hunks,
                          const Documents& documents);

// True if a file is already where one is to be created or moved to.
bool is_occupied(const ProposedFile& file, const Documents& documents);

}  // namespace bodkin::lsp
