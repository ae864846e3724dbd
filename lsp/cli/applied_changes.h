// The changes that a conversation has made in the files of its folder.
#pragma once

#include <string>
#include <vector>

namespace bodkin {

// Prints what these proposals of the history, the first one first, have changed and what is still
// there, as one diff. Lines that somebody has changed since are left out, which is said.
void print_changes_of(const std::vector<std::string>& proposals, const std::string& root);

}  // namespace bodkin
