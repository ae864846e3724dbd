// What git keeps of private files: its objects hold the contents of every file that it tracks, also
// of one that is not on the disk. The command in the sandbox could read them there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Runs git in a git folder; its output, or nothing: it cannot answer. Called one at a time.
using AskGit = std::function<std::optional<std::string>(const std::string& git_folder,
                                                        const std::vector<std::string>& arguments)>;

// A git that can only read: no capabilities, no way to gain any, nothing of the environment. For
// the launcher, in its own namespaces: the process must have one thread. `never_from`: folders from
// which git is not taken. Blocks, for each question at most for some seconds.
AskGit isolated_git(const std::vector<std::string>& never_from);

// The stores of `git_folder`, a folder of git's (`.git`, or a bare one), that must be hidden, as
// paths relative to `lower`: none, if git says that the files which it knows now are not private
// (all of its indices, the commits that are checked out, the stashes; without an index, all
// branches). History is not searched. `git_folder`: relative to `lower`. `is_private`: of a path as
// git has it.
std::vector<std::string> private_stores(const std::string& lower, const std::string& git_folder,
                                        const AskGit& ask,
                                        const std::function<bool(std::string_view)>& is_private);

}  // namespace bodkin
