// The changes that are staged in a git repository, or are in its work tree, with both texts.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/plan/report.h"
#include "edits/text/result.h"

namespace bodkin {

struct GitChanges {
  std::vector<ChangedFile> files;  // relative to the top of the repository
  // Changed files that are not among them, and why: "logo.bin is larger than 4 MB".
  std::vector<std::string> passed_over;
  // For staged changes: the index's text of the other files that differ in the work tree, by path.
  std::map<std::string, Text> unstaged;
};

// staged: the index and HEAD; worktree: the files as they are, untracked ones too, and HEAD.
// Without a commit yet there is nothing before. A rename is a file that is removed and one that is
// new. Nothing that the repository's configuration names runs. `top`: the repository's top folder,
// absolute. Errors, for the user: unavailable, cancelled, internal. Thread: any; blocks.
enum class GitSide { staged, worktree };
Result<GitChanges> changes_with_git(const std::string& top, GitSide side,
                                    const std::stop_token& stop);

}  // namespace bodkin
