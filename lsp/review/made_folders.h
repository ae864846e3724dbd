// The folders that an editor makes for a proposal's new files. It removes the files when the
// proposal is undone, and leaves the folders. Main thread only.
#pragma once

#include <vector>

#include "lsp/sessions/proposal.h"

namespace bodkin::lsp {

// Before these hunks are applied: the folders that are not there yet become
// Proposal::made_folders. Of files in several workspace folders none do.
void note_made_folders(Proposal& proposal, const std::vector<size_t>& hunks);

// After an undo: those that are empty are removed.
void remove_made_folders(const Proposal& proposal);

}  // namespace bodkin::lsp
