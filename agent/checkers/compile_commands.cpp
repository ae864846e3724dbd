#include "agent/checkers/compile_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "agent/checkers/server_table.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/path_text.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/wire_json.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

constexpr size_t kMaxDatabase = 256u << 20;
constexpr size_t kMaxResponseFile = 1u << 20;
constexpr int kMaxResponseFiles = 8;  // each named by the one before
// Options of gcc that name a program, where programs are, or what names them.
constexpr std::string_view kRunning[] = {"-B",       "--prefix", "-wrapper", "--wrapper",
                                         "-fplugin", "-specs",   "--specs",  "-fmodule-mapper"};

// Splits a line as a POSIX shell does, without expansions. gcc reads its response files so, too.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < line.size() &&
                         (quote == '\0' || line[i + 1] == '"' || line[i + 1] == '\\' ||
                          line[i + 1] == '$' || line[i + 1] == '`');
    if (escapes) {
      word += line[++i];
      in_word = true;
    } else if (quote != '\0' && c == quote) {
      quote = '\0';
    } else if (quote != '\0') {
      word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (std::exchange(in_word, false)) words.push_back(std::exchange(word, ""));
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> words_of(const nlohmann::json& entry) {
  std::vector<std::string> words;
  if (const auto& list = at(entry, "arguments"); list.is_array()) {
    for (const auto& word : list)
      if (word.is_string()) words.push_back(word.get<std::string>());
    return words;
  }
  return shell_words(string_at(entry, "command"));
}

// "-DX=1" and "-D X=1" are the same.
std::string value_of(const std::vector<std::string>& words, size_t& i, std::string_view option) {
  if (words[i].size() > option.size()) return words[i].substr(option.size());
  return i + 1 < words.size() ? words[++i] : "";
}

bool is_gcc(std::string_view word) {
  const std::string_view name = last_part(word);
  return !name.contains("clang") &&
         (name.contains("gcc") || name.contains("g++") || name == "cc" || name == "c++");
}

bool is_compiler(std::string_view word) {
  return is_gcc(word) || last_part(word).contains("clang");
}

// The options that the compiler hands to its preprocessor as the others.
std::vector<std::string> plain_words(const std::vector<std::string>& words) {
  std::vector<std::string> plain;
  for (const std::string& word : words) {
    if (!word.starts_with("-Wp,")) {
      plain.push_back(word);
      continue;
    }
    auto parts = words_of_list(word.substr(4), ',');
    plain.insert(plain.end(), parts.begin(), parts.end());
  }
  return plain;
}

// The words of a response file, which may name others.
void add_expanded(const std::string& word, const std::filesystem::path& folder, int depth,
                  std::vector<std::string>& words) {
  const bool is_file = word.starts_with('@') && depth < kMaxResponseFiles;
  const auto text =
      read_file(is_file ? (folder / word.substr(1)).generic_string() : "", kMaxResponseFile);
  if (!text) {
    words.push_back(word);
    return;
  }
  for (const std::string& one : shell_words(*text)) add_expanded(one, folder, depth + 1, words);
}

// The words from the compiler on, which a cache or the like may start, without those that only say
// what is written where; empty if it is not gcc.
std::vector<std::string> words_of_gcc(const std::vector<std::string>& words) {
  const auto compiler = std::ranges::find_if(words, is_compiler);
  if (compiler == words.end() || !is_gcc(*compiler)) return {};
  std::vector<std::string> result;
  for (auto i = compiler; i != words.end(); ++i) {
    const std::string_view word = *i;
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "-MJ") {
      if (++i == words.end()) break;
      continue;
    }
    const bool writes = word == "-MD" || word == "-MMD" || word == "-MP" || word == "-M" ||
                        word == "-MM" || word.starts_with("-save-temps") ||
                        word.starts_with("-fdiagnostics-color") ||
                        word.starts_with("-fdiagnostics-format") || word.starts_with("-Wp,-M") ||
                        (word.starts_with("-o") && word.contains('.'));
    if (!writes) result.push_back(*i);
  }
  return result;
}

// Whether it may run a program of the folder `root`: as the compiler, or for an option.
bool may_run_folder(const std::vector<std::string>& words, const std::string& root) {
  const std::filesystem::path compiler(words[0]);
  const std::string place = compiler.lexically_normal().generic_string();
  if (compiler.has_parent_path() && (place.starts_with("/proc/") || place.starts_with("/dev/") ||
                                     !os::is_absolute(place) || !find_program(place, {root})))
    return true;
  return std::ranges::any_of(plain_words(words), [](std::string_view word) {
    return word.starts_with('@') ||
           std::ranges::any_of(kRunning, [&](auto option) { return word.starts_with(option); });
  });
}

bool is_strict(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return word.starts_with("-Werror") || word == "-pedantic-errors";
  });
}

}  // namespace

std::vector<CompileCommands::Command> CompileCommands::of_gcc(const std::string& absolute) const {
  const auto found = files_.find(absolute);
  if (found == files_.end() || found->second.is_of_others) return {};
  return found->second.of_gcc;
}

bool CompileCommands::refresh(const std::string& root) {
  namespace fs = std::filesystem;
  os::FileStatus info{};
  std::string path;
  for (fs::path folder = root;; folder = folder.parent_path()) {
    for (const fs::path& candidate :
         {folder / "compile_commands.json", folder / "build" / "compile_commands.json"}) {
      if (path.empty() && os::stat(os::text_of(candidate).c_str(), &info) == 0 &&
          S_ISREG(info.st_mode))
        path = candidate.generic_string();
    }
    if (!path.empty() || !folder.has_relative_path()) break;
  }
  const int64_t time_ns = path.empty() ? 0 : os::written_at(info);
  const uint64_t size = path.empty() ? 0 : static_cast<uint64_t>(info.st_size);
  if (path == path_ && time_ns == time_ns_ && size == size_) return false;
  path_ = path;
  time_ns_ = time_ns;
  size_ = size;
  files_.clear();
  include_folders_.clear();
  is_list_ = is_of_folder_ = false;
  if (path.empty()) return true;
  const auto text = read_file(path, kMaxDatabase);
  const auto list = text ? parse_json(*text) : std::nullopt;
  is_list_ = list && list->is_array();
  if (!is_list_) return true;
  const fs::path own_folder = fs::path(path).parent_path();
  for (const nlohmann::json& entry : *list) {
    // A relative folder is relative to the database's, whoever reads it.
    const fs::path folder = (own_folder / string_at(entry, "directory")).lexically_normal();
    const fs::path file = folder / string_at(entry, "file");
    std::error_code error;
    const fs::path canonical = os::weakly_canonical(file, error);
    const std::string name =
        error ? file.lexically_normal().generic_string() : canonical.generic_string();
    File& known = files_[name];
    is_of_folder_ = is_of_folder_ || (name.starts_with(root + "/") && fs::exists(canonical, error));
    std::vector<std::string> words;
    for (const std::string& word : words_of(entry)) add_expanded(word, folder, 0, words);
    auto of_gcc = words_of_gcc(words);
    words = plain_words(words);
    std::string view;
    for (size_t i = 0; i < words.size(); ++i) {
      // However an option is spelled that includes it, there it is.
      known.forced.insert(words[i].substr(words[i].find_last_of("/=,") + 1));
      for (const std::string_view option :
           {"-D", "-U", "-I", "-isystem", "-iquote", "-std=", "-x", "-include", "-imacros"}) {
        if (i >= words.size() || !words[i].starts_with(option)) continue;
        const std::string value = value_of(words, i, option);
        known.forced.emplace(last_part(value));
        if (option == "-I" || option == "-isystem" || option == "-iquote")
          include_folders_.insert((folder / value).lexically_normal().generic_string());
        // CMake says for which library a file is compiled.
        if (option != "-D" || !value.ends_with("_EXPORTS"))
          view += fmt::format(" {}{}", option, value);
      }
    }
    const bool is_new = known.views.insert(std::move(view)).second;
    known.is_of_others = known.is_of_others || of_gcc.empty();
    Command command{.folder = folder.generic_string(), .is_strict = is_strict(of_gcc)};
    if (of_gcc.empty() || !(is_new || command.is_strict)) continue;
    command.runs_folder = may_run_folder(of_gcc, root);
    for (const std::string& word : of_gcc)
      if (last_part(word) == last_part(file.generic_string()) &&
          os::weakly_canonical(folder / word, error).generic_string() == name)
        command.unit = word;
    command.words = std::move(of_gcc);
    known.of_gcc.push_back(std::move(command));
  }
  return true;
}

std::vector<std::string> CompileCommands::files() const {
  std::vector<std::string> result;
  for (const auto& [path, file] : files_) result.push_back(path);
  return result;
}

std::vector<std::string> CompileCommands::forcing_units(const std::set<std::string>& names) const {
  std::vector<std::string> result;
  for (const auto& [path, file] : files_) {
    if (std::ranges::any_of(file.forced, [&](const auto& name) { return names.contains(name); }))
      result.push_back(path);
  }
  return result;
}

std::string CompileCommands::view_of(const std::string& absolute) const {
  const auto found = files_.find(absolute);
  std::string views;
  if (found != files_.end())
    for (const std::string& view : found->second.views) views += view + "\n";
  return views;
}

bool CompileCommands::differ_for(const std::string& absolute) const {
  const auto found = files_.find(absolute);
  return found != files_.end() && found->second.views.size() > 1;
}

std::string command_for_database(const std::string& root) {
  constexpr std::pair<const char*, const char*> kCommands[] = {
      {"CMakeLists.txt", "cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"},
      {"meson.build", "meson setup build"},
      {"Makefile", "bear -- make"}};
  for (const auto& [file, command] : kCommands)
    if (std::error_code error; std::filesystem::exists(join_path(root, file), error))
      return command;
  return "";
}

}  // namespace bodkin
