// CompileCommands: which files a compilation database names (clang's JSON Compilation Database).
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace bodkin {

class CompileCommands {
 public:
  // Looks where clangd looks: in the folder and those above it, and in `build` there. True: they
  // are others than before.
  bool refresh(const std::string& root);
  bool are_known() const { return !path_.empty(); }
  bool has(const std::string& absolute) const { return files_.contains(absolute); }

 private:
  std::string path_;
  int64_t time_ns_ = 0;
  uint64_t size_ = 0;
  std::set<std::string> files_;
};

}  // namespace bodkin
