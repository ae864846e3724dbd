// Resolves the paths that git's own files name. All paths are relative to `lower`, a folder that
// need not be at its own path: an absolute path means any path that ends the same way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// The files with logins that a configuration of git's names: an included one, a helper's, cookies,
// keys.
std::vector<std::string> logins_named_by_git(const std::string& lower, const std::string& config);

// The folders that a setting of a git folder's means ("core", "worktree"); "": `lower` itself.
std::vector<std::string> folders_named_in_config(const std::string& lower,
                                                 const std::string& git_folder,
                                                 std::string_view section, std::string_view key);

// The git folders that a file `.git` may lead to.
std::vector<std::string> git_folders_meant_by(const std::string& lower, const std::string& file);

}  // namespace bodkin
