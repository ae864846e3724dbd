// IgnoredPaths: what git ignores in a folder of a sandbox, and what build tools make. It grows with
// the walk of the folder, from the top down.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/workspace/git_ignore.h"

namespace bodkin {

class IgnoredPaths {
 public:
  // `root`: the folder as the command has left it. `lower`: of an overlay, the open folder of the
  // disk; else -1.
  IgnoredPaths(std::string root, int lower) : root_(std::move(root)), lower_(lower) {}

  // Paths are relative to `root`; that of a folder ends in '/', or is "".
  void enter(const std::string& folder);
  // Reads a .gitignore; one that was removed with its folder counts, too.
  void read_rules(const std::string& folder);
  void read_excludes();  // of .git/info/exclude

  bool contains(std::string_view path) const;

 private:
  std::optional<std::string> text_of(const std::string& path) const;

  const std::string root_;
  const int lower_;
  GitIgnore rules_;
  std::vector<std::string> build_folders_;
};

}  // namespace bodkin
