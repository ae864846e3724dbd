// Cautions: what the user must know about the files an edit changes before applying it. An edit
// with a caution is never applied without review, whatever the settings say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/ask/draft.h"

namespace bodkin {

// Why a file with this path runs commands, or configures a program that does: "runs commands when
// you build". Nullopt: none known. Decided by the name, at any depth, ignoring case.
std::optional<std::string_view> caution_for(std::string_view path);

// Why the new text of a file deserves a look, whatever its path: "has a new U+FFFD, …". Nullopt:
// none known.
std::optional<std::string> caution_for_text(const ChangedFile& file);

// True if an agent, an editor, git or a shell runs or obeys such a file although nobody builds,
// runs or commits anything. caution_for() describes these, too.
bool acts_by_itself(std::string_view path);

// Returns what the user is told about each edit, one sentence per finding: files that run commands
// or configure programs, also judged by the name they move to or the target of a link; executables
// and scripts; generated files; texts that lost characters on their way. `workspace`: the one below
// the draft.
std::vector<std::string> cautions(const std::vector<ChangedFile>& files, Workspace& workspace,
                                  const Task& task);

// The reasons besides the cautions why an edit is not applied without review (bodkin.edits.review:
// direct): files, including link targets, whose names are neither source code nor prose. An
// allow-list, since no list of what configures or runs something is complete.
std::vector<std::string> needs_review(const std::vector<ChangedFile>& files, Workspace& workspace,
                                      const Task& task);

}  // namespace bodkin
