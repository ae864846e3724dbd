// Between drafts and proposals: what a proposal is made of, what it makes of its files, what takes
// it back, and what its refinement begins with. Pure.
#pragma once

#include "agent/ask/draft.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

// The hunks of a draft, one for each run of changed lines. The draft's paths are those of `roots`.
std::vector<ProposedFile> proposed_files(const std::vector<DraftFile>& draft, const Roots& roots);

// The editor has renamed it: from now on it is a change of the file with the new name.
void adopt_new_name(ProposedFile& file);
void adopt_old_name(ProposedFile& file);  // and back
// What the pending hunks (or only those listed) make of the file.
Offer offer_of(const ProposedFile& file, const std::vector<size_t>* only);

// What takes the applied hunks back, as a proposal whose pending hunks they are. Errors, for the
// person: stale (an applied text was changed since), unavailable (nothing is applied).
struct Reverse {
  Proposal proposal;
  std::vector<size_t> hunks;  // the indices
  bool moves_files = false;   // files are created, deleted or renamed
};
Result<Reverse> reverse_of(const Proposal& proposal);

// What a refinement begins with: the files with the pending hunks taken. Error: stale, for the
// person, if a hunk is stale or nothing is left.
Result<std::vector<DraftFile>> draft_of(const Proposal& proposal);

// The pending hunks as a unified diff.
std::string unified_diff(const Proposal& proposal);

}  // namespace bodkin
