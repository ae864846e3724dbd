// Files that no model ever sees: .env files, private keys, credentials, and those in .bodkinignore.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
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

// What a pattern does where systems differ: about letters of the other case, and about a class that
// is not known ([[:foo:]]).
enum class Unclear : uint8_t { matches, matches_not };

// The same for one pattern without alternatives, against the whole of `path`; takes at most pattern
// times path.
bool pattern_matches(std::string_view pattern, std::string_view path,
                     Unclear unclear = Unclear::matches);

// The lines of a .bodkinignore: as in .gitignore (comments, '!', a leading '/', a trailing '/'; a
// pattern that matches a folder matches everything in it, which no '!' takes back; [[:alpha:]]),
// and {a,b}. A list that is too large to match every path against ignores everything.
class IgnoreList {
 public:
  IgnoreList() = default;
  explicit IgnoreList(std::string_view text);
  static IgnoreList everything();
  bool ignores(std::string_view path) const;
  bool is_too_large() const { return is_too_large_; }
  friend bool operator==(const IgnoreList&, const IgnoreList&) = default;

 private:
  struct Rule {
    std::vector<std::string> patterns;  // without alternatives; one of them matches
    bool negated = false, anchored = false, folder = false;
    friend bool operator==(const Rule&, const Rule&) = default;
  };
  bool ignores_itself(std::string_view path, bool is_folder) const;

  std::vector<Rule> rules_;
  bool is_too_large_ = false;
};

// Every .bodkinignore that counts for what is in a folder: its own, those of all folders above it,
// whether they are open or not, and those of the folders in it. A file that one of them ignores is
// ignored. One that cannot be read, or is not text, ignores everything in its folder. One thread.
class IgnoreLists {
 public:
  IgnoreLists() = default;  // ignores nothing
  // Reads the disk: the lists in the folder when they are needed first. `folder`: absolute.
  explicit IgnoreLists(std::string folder);
  // Adds a list of the folder, or of one above it, as the editor has it. Error not_found: it has
  // none.
  void add_above(const std::string& above, const Result<std::string>& text);
  // Adds the list of a folder in it ("": its own), which has changed. `place`: where to read it.
  void read_again(const std::string& inside, const std::string& place);
  bool ignores(std::string_view path) const;  // relative to the folder
  // Whether the lists of the folder and above it are the same; what is in it does not count.
  bool has_same_above(const IgnoreLists& other) const { return lists_ == other.lists_; }
  // Why everything is ignored, as the end of a sentence about the list in the folder
  // blocking_folder(); empty: it is not.
  const std::string& reason_all_private() const { return why_all_; }
  const std::string& blocking_folder() const { return blocked_by_; }

 private:
  struct Listed {
    std::string below;  // prefix of our paths in the list's folder
    IgnoreList list;
    friend bool operator==(const Listed&, const Listed&) = default;
  };
  using Known = std::shared_ptr<const std::vector<IgnoreList>>;
  void add_all_above(const std::string& folder);
  void add(const std::string& folder, std::string below, const Result<std::string>& text);
  void add_inside(const std::string& inside, const Result<std::string>& text) const;
  void ask_lists_in(std::string_view folder) const;

  std::string folder_;
  std::vector<Listed> lists_;  // of the folder and above it
  std::string why_all_, blocked_by_;
  mutable std::map<std::string, Known, std::less<>> inside_;  // by folder
  // Those of the folder that was asked about last, with the bytes of a path that lead to each.
  mutable std::optional<std::string> asked_;
  mutable std::vector<std::pair<size_t, Known>> asked_lists_;
};

// True if it is on the built-in list (secret_names.cpp). Its name and the folders above it decide,
// at any depth and in any case.
bool is_secret(std::string_view path);

// A workspace without its private files: reading one is `invalid_input` with a sentence, and lists
// omit them. Each .bodkinignore (see IgnoreLists) is read once.
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
