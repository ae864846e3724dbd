// GitIgnore: what the files of git's rules ignore, exactly as git decides it (gitignore(5)). Not
// the grammar of .bodkinignore, which protects and therefore matches more.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bodkin {

// Paths are relative to the top folder, with '/'; that of a folder ends in '/', or is "".
class GitIgnore {
 public:
  // The rules of a .gitignore in `folder`.
  void add(const std::string& folder, std::string_view text);
  // Adds the rules of .git/info/exclude: any .gitignore comes before them.
  void add_excludes(std::string_view text);

  // Whether a file is ignored. Everything in an ignored folder is ignored.
  bool ignores(std::string_view path) const;

 private:
  struct Rule {
    std::string pattern;
    bool is_negated = false, is_of_folders = false, is_of_names = false, is_literal = false;
  };
  static std::vector<Rule> rules_in(std::string_view text);
  bool is_folder_ignored(std::string_view folder) const;
  bool decides_to_ignore(std::string_view path, bool is_folder) const;
  // The last rule that matches; null: none does.
  const Rule* deciding(const std::vector<Rule>& rules, std::string_view inside,
                       bool is_folder) const;

  std::map<std::string, std::vector<Rule>, std::less<>> rules_;  // by folder
  std::vector<Rule> excludes_;
  mutable std::map<std::string, bool, std::less<>> folders_;  // what was decided since add()
  // Against rules that are made to take forever: when it is spent, nothing more is ignored.
  mutable uint64_t steps_left_ = 100'000'000;
};

}  // namespace bodkin
