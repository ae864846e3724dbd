// Git outside the sandbox: only this and git_changes.h start it there (in the sandbox:
// loop/uncommitted.h, and the model's own commands). An untrusted repository's configuration,
// hooks, attributes and index can name programs or make git fetch; none of that runs here. Even so,
// git is only used in trusted folders, unless the user asks for it by name.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <string_view>

#include "edits/text/result.h"

namespace bodkin {

// The names of the files below `folder`, relative to it, NUL-terminated, at most `max_bytes`: those
// in git's index and those that it does not ignore, also of its submodules. The output is
// untrusted. Blocks, at most for ten seconds for each repository. Errors: unavailable (no
// repository, no git), cancelled, internal. Thread: any.
Result<std::string> list_with_git(const std::string& folder, size_t max_bytes,
                                  const std::stop_token& stop);

// Work trees below a folder that are not a part of its repository: other clones, or the same one
// again (`git worktree add`). Submodules are a part of it, and without a repository so is
// everything. Looks at the disk, starts nothing. One thread.
class NestedWorktrees {
 public:
  explicit NestedWorktrees(std::string folder) : folder_(std::move(folder)) {}
  // `path`: of a file, relative to the folder, with '/'.
  bool contain(std::string_view path);

 private:
  bool is_one(const std::string& path) const;

  const std::string folder_;
  std::map<std::string, bool, std::less<>> known_;  // by folder
};

}  // namespace bodkin
