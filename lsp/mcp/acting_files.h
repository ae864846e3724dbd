// Finds the changed files that an agent, an editor, git or a shell runs or obeys by itself.
#pragma once

#include <string>
#include <vector>

#include "edits/apply/apply.h"
#include "lsp/mcp/served_folder.h"

namespace bodkin::mcp {

// Returns the files that acts_by_itself() names, by any name or link; those that a link of such a
// name leads to, in the folder or at home; and those that git's configuration names (a folder of
// hooks, an included file, a filter). "NAME: why" each, for the user. Blocks: it walks the folder.
std::vector<std::string> acting_files(const std::vector<ChangedFile>& files, ServedFolder& served,
                                      const Task& task);

}  // namespace bodkin::mcp
