#include "agent/checkers/clangd_files.h"

#include <algorithm>
#include <filesystem>

#include "agent/support/user_folders.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

bool is_yaml(const ClangdFile& file) {
  return file.path.ends_with(".clangd") || file.path.ends_with(".yaml");
}

}  // namespace

std::vector<ClangdFile> clangd_files(
    const std::string& root, const SourceFiles& files,
    const std::function<std::optional<std::string>(const std::string&)>& read) {
  std::vector<ClangdFile> result;
  const auto add = [&](const std::string& path, std::string_view folder) {
    if (auto text = read(path)) result.push_back({path, std::string(folder), *std::move(text)});
  };
  for (const char* name : {"compile_flags.txt", ".clangd"})
    for (const std::string& path : files.named(name)) add(path, folder_part(path));
  for (const std::string& path : files.named("compile_commands.json")) {
    std::string_view folder = folder_part(path);
    if (folder == "build" || folder.ends_with("/build")) folder = folder_part(folder);
    if (!folder.empty()) add(path, folder);  // that of the root is CompileCommands
  }
  for (std::filesystem::path folder = std::filesystem::path(root).parent_path();;
       folder = folder.parent_path()) {
    for (const char* name : {"compile_flags.txt", ".clangd"})
      add((folder / name).generic_string(), "");
    if (!folder.has_relative_path()) break;
  }
  const std::string own = user_folder("XDG_CONFIG_HOME", ".config");
  if (!own.empty()) add(own + "/clangd/config.yaml", "");
  return result;
}

bool may_force(const ClangdFile& file, const std::set<std::string>& names) {
  const std::string_view text = file.text;
  if (is_yaml(file) && text.contains("CompilationDatabase")) return true;  // what that says counts
  if (!text.contains("include") && !text.contains("imacros") && !text.contains("/FI")) return false;
  return std::ranges::any_of(names, [&](std::string_view name) {
    for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
      const size_t end = at + name.size();
      if (end == text.size() || (!is_word_char(text[end]) && text[end] != '.')) return true;
    }
    return false;
  });
}

bool hides_errors(const std::vector<ClangdFile>& files, const ClangdFile& file) {
  if (!is_yaml(file)) return false;
  const bool is_strict = std::ranges::any_of(
      files, [](const ClangdFile& other) { return other.text.contains("-Werror"); });
  constexpr std::string_view kEnds = " \t\r\n,[]{}'\"";
  const std::string_view text = file.text;
  for (size_t at = text.find("Suppress"); at != text.npos; at = text.find("Suppress", at + 1)) {
    size_t begin = text.find(':', at);
    if (begin == text.npos) break;
    // The words up to the next key or section, without comments.
    for (begin = text.find_first_not_of(kEnds, begin + 1); begin != text.npos;) {
      const bool is_comment = text[begin] == '#';
      const size_t end =
          std::min(text.find_first_of(is_comment ? "\n" : kEnds, begin), text.size());
      const std::string_view word = is_comment ? "-" : text.substr(begin, end - begin);
      if (word.ends_with(':') || word == "---") break;
      // Warnings and what clang-tidy finds have a hyphen in their names, errors have none.
      const bool is_warning = word.contains('-') && !word.contains('*');
      if (word != "-" && (!is_warning || is_strict)) return true;
      begin = text.find_first_not_of(kEnds, end);
    }
  }
  return false;
}

}  // namespace bodkin
