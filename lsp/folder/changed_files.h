// The changes of an ask as files to be written: all of them, or the hunks that were chosen. Pure.
#pragma once

#include <string>
#include <vector>

#include "agent/ask/draft.h"
#include "edits/plan/report.h"
#include "lsp/sessions/proposal.h"

namespace bodkin {

std::vector<ChangedFile> changed_files(const std::vector<DraftFile>& draft);
std::vector<DraftFile> draft_files(const std::vector<ChangedFile>& files);  // and back

// The file with these hunks of it, by their indices in the proposal.
ChangedFile with_hunks(const ProposedFile& file, const std::vector<size_t>& hunks);

// The files with these hunks; those without any are left out. `kept`: the paths whose
// deletion was dropped, because the target of their move was not chosen.
std::vector<ChangedFile> with_hunks(const Proposal& proposal, const std::vector<size_t>& hunks,
                                    std::vector<std::string>& kept);

}  // namespace bodkin
