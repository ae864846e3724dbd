#include "agent/checkers/compile_commands.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <sstream>

#include "agent/support/json.h"
#include "agent/support/read_file.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

constexpr size_t kMaxDatabase = 256u << 20;

std::vector<std::string> words_of(const nlohmann::json& entry) {
  std::vector<std::string> words;
  if (const auto& list = at(entry, "arguments"); list.is_array()) {
    for (const auto& word : list)
      if (word.is_string()) words.push_back(word.get<std::string>());
    return words;
  }
  std::istringstream command(string_at(entry, "command"));
  for (std::string word; command >> std::quoted(word);) words.push_back(word);
  return words;
}

// "-DX=1" and "-D X=1" are the same.
std::string value_of(const std::vector<std::string>& words, size_t& i, std::string_view option) {
  if (words[i].size() > option.size()) return words[i].substr(option.size());
  return i + 1 < words.size() ? words[++i] : "";
}

bool is_strict(const std::vector<std::string>& words) {
  if (words.empty()) return false;
  const std::string program = words[0].substr(words[0].rfind('/') + 1);
  const bool is_gcc =
      program.contains("gcc") || program.contains("g++") || program == "cc" || program == "c++";
  return is_gcc && std::ranges::any_of(words, [](const std::string& word) {
           return word.starts_with("-Werror") || word == "-pedantic-errors";
         });
}

}  // namespace

const CompileCommands::Strict* CompileCommands::strict(const std::string& absolute) const {
  const auto found = strict_.find(absolute);
  return found == strict_.end() ? nullptr : &found->second;
}

bool CompileCommands::refresh(const std::string& root) {
  namespace fs = std::filesystem;
  struct stat info {};
  std::string path;
  for (fs::path folder = root;; folder = folder.parent_path()) {
    for (const fs::path& candidate :
         {folder / "compile_commands.json", folder / "build" / "compile_commands.json"}) {
      if (path.empty() && ::stat(candidate.c_str(), &info) == 0 && S_ISREG(info.st_mode))
        path = candidate.string();
    }
    if (!path.empty() || !folder.has_relative_path()) break;
  }
  const int64_t time_ns =
      path.empty() ? 0 : info.st_mtim.tv_sec * 1'000'000'000 + info.st_mtim.tv_nsec;
  const uint64_t size = path.empty() ? 0 : static_cast<uint64_t>(info.st_size);
  if (path == path_ && time_ns == time_ns_ && size == size_) return false;
  path_ = path;
  time_ns_ = time_ns;
  size_ = size;
  files_.clear();
  option_files_.clear();
  strict_.clear();
  is_list_ = false;
  if (path.empty()) return true;
  const auto text = read_file(path, kMaxDatabase);
  const auto list = text ? parse_json(*text) : std::nullopt;
  is_list_ = list && list->is_array();
  if (!is_list_) return true;
  for (const nlohmann::json& entry : *list) {
    const fs::path file = fs::path(string_at(entry, "directory")) / string_at(entry, "file");
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(file, error);
    File& known = files_[error ? file.lexically_normal().string() : canonical.string()];
    const auto words = words_of(entry);
    if (is_strict(words))
      strict_[error ? file.lexically_normal().string() : canonical.string()] = {
          string_at(entry, "directory"), words};
    std::string view;
    for (size_t i = 0; i < words.size(); ++i) {
      for (const std::string_view option : {"@", "-specs=", "--config="})
        if (words[i].starts_with(option))
          option_files_.emplace(words[i].substr(std::max(words[i].rfind('/') + 1, option.size())));
      for (const std::string_view option : {"-include", "-imacros", "/FI"}) {
        if (!words[i].starts_with(option) || words[i].starts_with("-include-pch")) continue;
        const std::string path = value_of(words, i, option);
        known.forced.insert(path.substr(path.rfind('/') + 1));
        view += " -include " + path;
      }
      for (const std::string_view option :
           {"-D", "-U", "-I", "-isystem", "-iquote", "-std=", "-x"}) {
        if (i >= words.size() || !words[i].starts_with(option)) continue;
        const std::string value = value_of(words, i, option);
        // CMake says for which library a file is compiled.
        if (option != "-D" || !value.ends_with("_EXPORTS"))
          view += fmt::format(" {}{}", option, value);
      }
    }
    known.views.insert(std::move(view));
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

bool CompileCommands::differ_for(const std::string& absolute) const {
  const auto found = files_.find(absolute);
  return found != files_.end() && found->second.views.size() > 1;
}

}  // namespace bodkin
