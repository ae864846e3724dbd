// Starts git outside the sandbox, for git.h and git_changes.h.
#pragma once

#include <filesystem>
#include <string>

#include "agent/support/process.h"

namespace bodkin {

// Git in a folder of a repository with this top folder, without the arguments that say what to do:
// of what its configuration names only filters would run.
ProcessRequest git_in(const std::string& folder, const std::filesystem::path& top);

// The folder that holds the `.git` which git would find from `folder`; empty if there is none.
std::filesystem::path top_of_repository(const std::string& folder);

}  // namespace bodkin
