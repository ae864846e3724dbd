// Cautions: what the person must know of the files that an edit changes, before it is taken. An
// edit with a caution is never applied without a look, whatever the settings say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/draft.h"

namespace bodkin {

// Why a file of this path runs commands, or steers a program that does: "runs commands when you
// build". Nothing: it is not known to. The name decides, at any depth, case ignored.
std::optional<std::string_view> why_careful(std::string_view path);

// What the person is told of every edit, one sentence for each: files that run or configure, also
// by the name that they move to or the link that leads to them; programs and scripts; files that
// another program makes. `workspace`: what the draft lies over.
std::vector<std::string> cautions(const std::vector<DraftFile>& files, Workspace& workspace,
                                  const Task& task);

// Why an edit is not applied without a look (bodkin.edits.review: direct), besides the cautions:
// the files, also behind links, that are neither source code nor prose by their names. An
// allow-list: the names of what configures or runs something are endless.
std::vector<std::string> unfit_for_direct(const std::vector<DraftFile>& files, Workspace& workspace,
                                          const Task& task);

}  // namespace bodkin
