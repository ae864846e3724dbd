// ConfinedFolder: a folder that no path can leave. A model's path is resolved component by
// component below an open directory; the directories are then reopened without following links, so
// that a link created in between is an error, not an escape.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/platform/file_descriptor.h"
#include "edits/text/result.h"

namespace bodkin {

class ConfinedFolder {
 public:
  // Errors: not_found, with a sentence.
  static Result<ConfinedFolder> open(const std::string& path);

  // Resolves `path`: relative, with '/', every symbolic link followed. The last components need not
  // exist. Errors (invalid_input, a sentence that names `path`): it is absolute, leaves the folder,
  // even through a link, is below a `.git` in any case, or in another repository's git folder, or
  // has invisible characters.
  Result<std::string> resolve(std::string_view path) const;
  bool is_link(std::string_view path) const;  // the last part itself is a symbolic link

  // Takes resolved paths. Checks that existing parents are folders, and that the file is regular or
  // missing. Errors: invalid_input, unavailable, with a sentence.
  Result<void> check_file(const std::string& resolved) const;
  // The directory that holds the last part; empty: errno says why.
  FileDescriptor directory_of(std::string_view resolved) const;
  // The folders above it that are not there, from the top.
  std::vector<std::string> missing_folders(const std::string& resolved) const;
  // The bytes of a regular file; nullopt: errno says why.
  std::optional<std::string> read(std::string_view resolved) const;

  // The regular files of the project: without those below .git, those that git ignores or build
  // tools make (agent/workspace/ignored_paths.h), and without nested work trees. Empty if there are
  // too many: whether a file name is unique is known only if all files are listed.
  std::vector<std::string> files() const;

  // True if its path still leads to it. It may have been moved, and another one put there.
  bool is_in_place() const;

  int number() const { return directory_.number(); }
  const std::string& path() const { return path_; }  // absolute, without links
  // Its name when it was opened: absolute and normal, but links are kept.
  const std::string& given() const { return given_; }

 private:
  ConfinedFolder(FileDescriptor directory, std::string path, std::string given)
      : directory_(std::move(directory)), path_(std::move(path)), given_(std::move(given)) {}

  FileDescriptor directory_;
  std::string path_, given_;
};

// The bytes of the regular file `name` in a directory, following no link; none: errno says why.
std::optional<std::string> read_file_at(int directory, const std::string& name);

}  // namespace bodkin
