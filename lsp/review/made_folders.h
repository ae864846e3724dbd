// The folders that an editor makes for a proposal's new files. It removes the files when the
// proposal is undone, and leaves the folders. Main thread only.
#pragma once

#include <vector>

#include "lsp/sessions/proposal.h"

namespace bodkin::lsp {

// Before these hunks are applied: the missing folders become Proposal::made_folders; none if the
// files are in several workspace folders.
void note_made_folders(Proposal& proposal, const std::vector<size_t>& hunks);

// After an undo: removes those that are empty.
void remove_made_folders(const Proposal& proposal);

}  // namespace bodkin::lsp
