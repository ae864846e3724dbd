// What is staged in a git repository, or changed in its work tree, with the texts of both sides.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

struct GitFile {
  std::string path;                          // relative to the top of the repository
  std::optional<std::string> before, after;  // bytes; nothing: it is not there
};
struct GitChanges {
  std::vector<GitFile> files;
  // Changed files whose bytes were not read, and why: "logo.bin is larger than 4 MB".
  std::vector<std::string> passed_over;
  // For staged changes: the index's text of the other files that differ in the work tree, by path.
  std::map<std::string, std::string> unstaged;
};

// staged: the index and HEAD; worktree: the files as they are, untracked ones too, and HEAD.
// Without a commit yet there is nothing before. A rename is a file that is removed and one that is
// new. Nothing that the repository's configuration names runs. `top`: the repository's top folder,
// absolute. Errors, for the user: unavailable, cancelled, internal. Thread: any; blocks.
enum class GitSide { staged, worktree };
Result<GitChanges> changes_with_git(const std::string& top, GitSide side,
                                    const std::stop_token& stop);

}  // namespace bodkin
