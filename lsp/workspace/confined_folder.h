// ConfinedFolder: a folder that no path leaves. What a model writes as a path is resolved part by
// part below one open directory; the directories are then opened again without following any link,
// so that a link put there in between is an error and not a way out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

class FileDescriptor {  // closes itself
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  int release();

 private:
  int number_;
};

class ConfinedFolder {
 public:
  // Errors: not_found, with a sentence.
  static Result<ConfinedFolder> open(const std::string& path);

  // The path of the file that `path` means: relative, with '/', every symbolic link followed. The
  // last parts may not exist. Errors (invalid_input, a sentence that names `path`): it is absolute,
  // leaves the folder, also by a link, is below a `.git`, in whatever case it is written, or in
  // another repository's folder of git, or has characters that do not show.
  Result<std::string> resolve(std::string_view path) const;
  bool is_link(std::string_view path) const;  // the last part itself is a symbolic link

  // For resolved paths. Are the folders of the path folders, as far as they are there, and the file
  // a regular file or nothing? Errors: invalid_input, unavailable, with a sentence.
  Result<void> check_file(const std::string& resolved) const;
  // The directory that holds the last part; none: errno says why.
  FileDescriptor directory_of(std::string_view resolved) const;
  // The bytes of a regular file; none: errno says why.
  std::optional<std::string> read(std::string_view resolved) const;

  // All regular files, without what is below .git and node_modules. Empty if there are too many
  // to list: a file is the only one of its name only if all were seen.
  std::vector<std::string> files() const;

  int number() const { return directory_.number(); }
  const std::string& path() const { return path_; }  // absolute, without links

 private:
  ConfinedFolder(FileDescriptor directory, std::string path)
      : directory_(std::move(directory)), path_(std::move(path)) {}

  FileDescriptor directory_;
  std::string path_;
};

std::string_view last_part(std::string_view path);

// The bytes of the regular file `name` in a directory, following no link; none: errno says why.
std::optional<std::string> read_file_at(int directory, const std::string& name);

}  // namespace bodkin
