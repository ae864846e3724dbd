// SourceFiles: the files of a project on the disk, and which of them depend on a changed one, by
// the text of their imports. It errs on the side of too many: a dependent that is not found is an
// error that is not seen.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "agent/checkers/imports.h"
#include "edits/plan/report.h"

namespace bodkin {

class SourceFiles {
 public:
  explicit SourceFiles(std::string root) : root_(std::move(root)) {}

  struct Change {
    std::string path;  // relative to the root
    int type = 2;      // LSP's FileChangeType: 1 created, 2 changed, 3 deleted
  };
  // Looks at the disk, and returns what has changed since the last call; the first one returns
  // nothing. Blocks for a few milliseconds per thousand files.
  std::vector<Change> refresh(const std::stop_token& stop);
  bool is_complete() const { return is_complete_; }  // else there were too many
  bool has(std::string_view path) const { return files_.contains(path); }

  // The files on the disk that import one of these, directly or through others: relative, without
  // these, the nearest first.
  std::vector<std::string> dependents(Imports imports, const std::vector<ChangedFile>& changed);

 private:
  struct File {
    int64_t time_ns = 0;
    uint64_t size = 0, inode = 0;
    bool is_read = false;
    std::set<std::string> imports;  // keys
  };
  void read_imports(Imports imports);

  const std::string root_;
  std::map<std::string, File, std::less<>> files_;  // source files; by path relative to the root
  bool is_first_ = true, is_complete_ = true;
};

// The identifiers that users of a changed file may be affected through: those of the changed lines,
// and the names of the declarations around them. Empty: any user may be affected.
std::set<std::string> changed_names(const std::vector<ChangedFile>& changed);
bool mentions(std::string_view text, const std::set<std::string>& names);

}  // namespace bodkin
