// The new files of a proposal: for the disk, or for the draft of a refinement. Pure.
#pragma once

#include <string>
#include <vector>

#include "lsp/sessions/proposal.h"

namespace bodkin {

// The file with these hunks of it, by their indices in the proposal (null: all that are pending).
ChangedFile with_hunks(const ProposedFile& file, const std::vector<size_t>* hunks);

// The files with these hunks; those without any are left out. `kept`: the paths whose
// deletion was dropped, because the target of their move was not chosen.
std::vector<ChangedFile> with_hunks(const Proposal& proposal, const std::vector<size_t>& hunks,
                                    std::vector<std::string>& kept);

// The draft that a refinement starts with: the files with the pending hunks applied. Error: stale,
// for the user, if a hunk is stale or none is left.
Result<std::vector<ChangedFile>> draft_of(const Proposal& proposal);

std::string diff_of(const ChangedFile& file);  // unified; in git's form if it is moved or empty
std::string diff_of(const std::vector<ChangedFile>& files);
std::string diff_of(const Proposal& proposal);  // its pending hunks

}  // namespace bodkin
