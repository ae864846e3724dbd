// CompileCommands: which files a compilation database names (clang's JSON Compilation Database).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

class CompileCommands {
 public:
  // Looks where clangd looks: in the folder and those above it, and in `build` there. True: they
  // changed.
  bool refresh(const std::string& root);
  bool are_known() const { return is_list_; }
  bool has(const std::string& absolute) const { return files_.contains(absolute); }
  // The files, absolute.
  std::vector<std::string> files() const;
  // Those whose command includes a file of one of these names before their text (-include).
  std::vector<std::string> forcing_units(const std::set<std::string>& names) const;
  // A command of gcc, not clang, that makes warnings errors.
  struct Strict {
    std::string folder;  // absolute, where it runs
    std::vector<std::string> words;
  };
  const Strict* strict(const std::string& absolute) const;  // null: the file has none
  // Whether a command takes options from a file of that name (@file, or a configuration).
  bool reads_options_of(std::string_view name) const { return option_files_.contains(name); }
  // Whether it has commands for the file that let the compiler see different texts.
  bool differ_for(const std::string& absolute) const;

 private:
  struct File {
    std::set<std::string> views;   // what decides what the compiler sees, one for each command
    std::set<std::string> forced;  // names of files that a command includes
  };
  std::string path_;
  int64_t time_ns_ = 0;
  uint64_t size_ = 0;
  bool is_list_ = false;  // it could be read
  std::map<std::string, File> files_;
  std::map<std::string, Strict> strict_;
  std::set<std::string, std::less<>> option_files_;  // their names
};

}  // namespace bodkin
