// Files that no model ever sees: .env files, private keys, credentials, and those in .bodkinignore.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/workspace/workspace.h"

namespace bodkin {

// Relative, with '/', and without empty, "." and ".." parts: one spelling per file, so that no
// other spelling bypasses a list.
bool is_plain_path(std::string_view path);

// True if a glob matches a path (relative, with '/'). `*` and `?` do not match '/', `**` does; a
// pattern without a '/' matches the last part of the path; sets like [a-z] and alternatives like
// {a,b} work. Case is ignored, as file systems may.
bool glob_matches(std::string_view pattern, std::string_view path);

// The same for one pattern without alternatives, against the whole of `path`; takes at most pattern
// times path.
bool pattern_matches(std::string_view pattern, std::string_view path);

// The lines of a .bodkinignore: as in .gitignore (comments, '!', a leading '/', a trailing '/'; a
// pattern that matches a folder matches everything in it; {a,b}). A list that is too large to match
// every path against ignores everything.
class IgnoreList {
 public:
  IgnoreList() = default;
  explicit IgnoreList(std::string_view text);
  static IgnoreList everything();
  bool ignores(std::string_view path) const;
  bool is_too_large() const { return is_too_large_; }

 private:
  struct Rule {
    std::vector<std::string> patterns;  // without alternatives; one of them matches
    bool negated = false, anchored = false, folder = false;
  };
  std::vector<Rule> rules_;
  bool is_too_large_ = false;
};

// The .bodkinignore of a folder, and those of the workspace folders that contain it.
class IgnoreLists {
 public:
  // The text of a folder's list. `not_found`: it has none; any other error: it may contain
  // anything.
  using Read = std::function<Result<std::string>(const std::string& folder)>;

  IgnoreLists() = default;
  // `folder` is one of `folders`; all are absolute, without a '/' at the end.
  IgnoreLists(std::string_view folder, const std::vector<std::string>& folders, const Read& read);
  bool ignores(std::string_view path) const;  // relative to `folder`
  // Why everything is ignored, as the end of a sentence about the list in the folder
  // blocking_folder(); empty: it is not.
  const std::string& reason_all_private() const { return why_all_; }
  const std::string& blocking_folder() const { return blocked_by_; }

 private:
  struct Listed {
    std::string above;  // prefix of the paths in the list's folder
    IgnoreList list;
  };
  std::vector<Listed> lists_;
  std::string why_all_, blocked_by_;
};

// True if it is on the built-in list (secret_names.cpp). Its name and the folders above it decide,
// at any depth and in any case.
bool is_secret(std::string_view path);

// A workspace without its private files: reading one is `invalid_input` with a sentence, and lists
// omit them. .bodkinignore is read once, from the top of each folder of the workspace.
class GuardedWorkspace : public LayeredWorkspace {
 public:
  GuardedWorkspace(Workspace& below, const Task& task);
  bool is_private(std::string_view path) const;  // also through a link, or a hard link

  Result<Snapshot> read(std::string_view path, const Task& task) override;
  Result<std::vector<std::string>> list(std::string_view folder, size_t limit,
                                        const Task& task) override;
  std::vector<std::string> open_paths(const Task& task) override;

 private:
  bool is_listed(std::string_view path) const;
  bool is_another_name(const std::string& absolute) const;

  Roots roots_;
  struct Ignored {
    std::string prefix;  // of the paths to which the lists apply
    IgnoreLists lists;
  };
  std::vector<Ignored> ignored_;
  // An unreadable list, and why: everything it could cover is private.
  std::string unreadable_;
  using FileId = std::pair<uint64_t, uint64_t>;     // device, inode
  mutable std::optional<std::set<FileId>> linked_;  // private files with several names
};

}  // namespace bodkin
