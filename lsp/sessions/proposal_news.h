// Tells the model the outcome of a proposal: it cannot see what the user does with its edits.
#pragma once

#include <string>

#include "agent/history/store.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

// One paragraph: which of its hunks are in the files, and which are not. Pure.
std::string news_of(const Proposal& proposal);
// The same of one in the history, which does not say which of its hunks were taken.
std::string news_of(const ProposalRow& proposal);

}  // namespace bodkin
