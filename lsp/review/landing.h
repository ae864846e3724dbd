// Where the edits of a proposal land on the disk, links followed. What a name leads to when the
// proposal is made it must still lead to when the edit leaves.
#pragma once

#include "edits/text/result.h"
#include "lsp/sessions/proposal.h"

namespace bodkin::lsp {

// Remembers where each of its names leads now.
void remember_landings(Proposal& proposal);

// May the hunks (all, or those listed) leave as an edit: do the names still lead where they led
// when the proposal was made, and is that in the workspace? Error: invalid_input, with a sentence.
Result<void> check_landings(const Proposal& proposal, const std::vector<size_t>* only);

}  // namespace bodkin::lsp
