// The paths at which a proposal's edits land on disk, after following links: when an edit is sent,
// each name must still lead to the file for which it was proposed.
#pragma once

#include "edits/text/result.h"
#include "lsp/sessions/proposal.h"

namespace bodkin::lsp {

// Records where each of its names leads now, and facts that the texts of removed files do not tell.
void record_landings(Proposal& proposal);

// Whether the hunks (all, or those listed) may be sent as an edit: the names still lead where they
// did when the proposal was made, inside the workspace. Error: invalid_input, with a sentence.
Result<void> check_landings(const Proposal& proposal, const std::vector<size_t>* only);

}  // namespace bodkin::lsp
