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

// Whether a path as git has it, in a git folder (absolute), is one of a private file.
using IsPrivateToGit = std::function<bool(const std::string& git_folder, std::string_view path)>;

// What must be hidden of `git_folder`, a folder of git's (`.git`, or a bare one), as paths relative
// to `lower`: in any case what is neither git's own nor asked for by a build. Its contents of
// files, too, unless git says that those which it knows now are not private (all of its indices,
// the commits that are checked out, the newest branches and tags, the stashes; without an index,
// all branches) and that it has not what the private files on the disk have in them. Other history
// is not searched. `git_folder` and `private_files`: relative to `lower`.
std::vector<std::string> private_stores(const std::string& lower, const std::string& git_folder,
                                        const AskGit& ask, const IsPrivateToGit& is_private,
                                        const std::vector<std::string>& private_files);

}  // namespace bodkin
