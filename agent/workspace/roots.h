// Roots: the folders of a workspace, and the paths of their files. The only place where workspace
// paths are formed or taken apart.
//
// A path of the workspace is relative, with '/'. With one folder it is relative to that; with
// several it begins with the folder's name, which is unique. A file in two folders, one inside the
// other, has the path in the inner one. Roots never change: an ask keeps the ones it started with,
// so its paths keep their meaning.
//
// Without a folder the workspace is the files that are open, each called by its name: nothing else
// of their folders is part of it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

struct Root {
  std::string name;    // one part of a path
  std::string folder;  // absolute, normal, without a '/' at its end unless it is "/"
  friend bool operator==(const Root&, const Root&) = default;
};

// A file that is open without a folder.
struct LooseFile {
  std::string path;      // its name, after as many of its folders' names as make it unique
  std::string absolute;  // without links
  friend bool operator==(const LooseFile&, const LooseFile&) = default;
};

// A file, independent of the open folders: what a path meant when it was used.
struct FileInFolder {
  std::string folder;        // of the workspace, absolute; empty: the file is in none
  std::string inside;        // relative to the folder; without one: absolute, or a buffer's name
  std::string full() const;  // the absolute path; a buffer's name
  bool is_buffer() const;    // not a file
  friend bool operator==(const FileInFolder&, const FileInFolder&) = default;
};
// An absolute path as one in this folder, or in none. Links are not followed.
FileInFolder below(const std::string& folder, const std::string& absolute);

// True for the path of a buffer without a file.
bool is_untitled(std::string_view path);

class Roots {
 public:
  Roots() = default;
  // Precondition: the names differ, see name_roots().
  Roots(std::vector<Root> roots) : roots_(std::move(roots)) {}
  Roots(std::initializer_list<Root> roots) : roots_(roots) {}

  // The same folders; with none of them these files.
  Roots with(std::vector<LooseFile> files) const;
  const std::vector<LooseFile>& loose_files() const { return loose_; }

  bool empty() const { return roots_.empty(); }  // of folders
  size_t size() const { return roots_.size(); }
  const Root& operator[](size_t index) const { return roots_[index]; }
  auto begin() const { return roots_.begin(); }
  auto end() const { return roots_.end(); }
  friend bool operator==(const Roots&, const Roots&) = default;

  // Identifies the workspace among others, whatever the order of its folders: one folder a line.
  std::string key() const;

  // The prefix of the paths of a root's files: "" or "name/".
  std::string prefix_of(const Root& root) const;

  // The roots inside this one, relative to it, with a trailing '/': their files do not belong to
  // this one.
  std::vector<std::string> inner_of(const Root& root) const;

  struct Place {
    Root root;             // of a loose file its folder
    std::string inside;    // relative to the root; "" is the root itself
    std::string path;      // the workspace path: its only spelling
    std::string absolute;  // links are not followed
  };
  // Resolves a workspace path, or an absolute one below a root. Nullopt: it is not in the
  // workspace, or leaves its root.
  std::optional<Place> find(std::string_view path) const;
  // The same, for an absolute path alone.
  std::optional<Place> find_absolute(std::string_view absolute) const;
  // The file a path means now; outside the workspace, it is in no folder.
  FileInFolder file_at(std::string_view path) const;
  // The file's current name: its workspace path, outside the workspace the absolute path, or a
  // buffer's name.
  std::string path_of(const FileInFolder& file) const;

 private:
  std::vector<Root> roots_;
  std::vector<LooseFile> loose_;
};

// Gives the roots whose name is not `fixed` a unique name, ignoring case. A missing name, or one
// that is not a single path component, is derived from the folder's; equal names get the names of
// the parent folders as a prefix: "one-src" and "two-src".
struct RootToName {
  Root root;
  bool fixed = false;
};
std::vector<Root> name_roots(std::vector<RootToName> roots);

}  // namespace bodkin
