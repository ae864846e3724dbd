// CompileCommands: which files a compilation database names (clang's JSON Compilation Database).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bodkin {

class CompileCommands {
 public:
  // Looks where clangd looks: in the folder and those above it, and in `build` there. True: they
  // changed.
  bool refresh(const std::string& root);
  // Whether it says how files of the folder are compiled; a database from another machine does not.
  bool are_known() const { return is_list_ && is_of_folder_; }
  bool has(const std::string& absolute) const { return files_.contains(absolute); }
  // The files, absolute.
  std::vector<std::string> files() const;
  // Those whose command includes a file of one of these names before their text (-include).
  std::vector<std::string> forcing_units(const std::set<std::string>& names) const;
  // The command with which gcc, not clang, compiles a file.
  struct Command {
    std::string folder;              // absolute, where it runs
    std::vector<std::string> words;  // the compiler first, nothing that starts it or says what to
                                     // write
    std::string unit;                // the word that names the file; empty: none does
    bool is_strict = false;          // it makes warnings errors
    bool runs_folder = false;        // it may run a program of the folder
  };
  // One for each way in which the file is compiled; empty if not all of them are gcc's.
  std::vector<Command> of_gcc(const std::string& absolute) const;
  // Whether it has commands for the file that let the compiler see different texts.
  bool differ_for(const std::string& absolute) const;
  // All folders that the commands search for headers, absolute.
  const std::set<std::string>& include_folders() const { return include_folders_; }
  // All parts of its commands that decide what the compiler sees of the file, as one text.
  std::string view_of(const std::string& absolute) const;

 private:
  struct File {
    std::set<std::string> views;   // what decides what the compiler sees, one for each command
    std::set<std::string> forced;  // names of files that a command may include, and of others
    std::vector<Command> of_gcc;   // one for each view, if gcc compiles them all
    bool is_of_others = false;     // another compiler does
  };
  std::string path_;
  int64_t time_ns_ = 0;
  uint64_t size_ = 0;
  bool is_list_ = false;       // it could be read
  bool is_of_folder_ = false;  // it has a file below the root
  std::map<std::string, File> files_;
  std::set<std::string> include_folders_;
};

// The command with which the project in this folder makes its compile_commands.json; "" if unknown.
std::string command_for_database(const std::string& root);

}  // namespace bodkin
