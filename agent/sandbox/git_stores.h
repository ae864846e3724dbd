// Git's objects hold the contents of every file that it tracks, also of files that are not on the
// disk, so a command in the sandbox could read private files there. This finds what must be hidden.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Runs git in a git folder; its output, or nullopt: it cannot answer. Called one at a time.
using AskGit = std::function<std::optional<std::string>(const std::string& git_folder,
                                                        const std::vector<std::string>& arguments)>;

// A git that can only read: no capabilities, no way to gain any, nothing of the environment. For
// the launcher, in its own namespaces: the process must have one thread. `never_from`: folders from
// which git is not taken. Blocks, for each question at most for some seconds.
AskGit isolated_git(const std::vector<std::string>& never_from);

// Whether a path as git has it, in a git folder (absolute), is one of a private file.
using IsPrivateToGit = std::function<bool(const std::string& git_folder, std::string_view path)>;

// Returns what must be hidden in `git_folder`, one of git's folders (`.git`, or a bare one), as
// paths relative to `lower`. Always hidden: what is neither git's own nor needed by a build. The
// contents of files are hidden, too, unless git says that those it knows now are not private (all
// of its indices, the commits that are checked out, the newest branches and tags, the stashes;
// without an index, all branches) and it does not have the bytes of the private files on the disk.
// Other history is not searched. `git_folder` and `private_files`: relative to `lower`.
std::vector<std::string> private_stores(const std::string& lower, const std::string& git_folder,
                                        const AskGit& ask, const IsPrivateToGit& is_private,
                                        const std::vector<std::string>& private_files);

}  // namespace bodkin
