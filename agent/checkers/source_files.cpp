// The disk: what there is in a folder, what has changed since, and what no model may see of it.

#include <algorithm>
#include <filesystem>
#include <utility>

#include "agent/checkers/dependents.h"
#include "agent/checkers/file_kinds.h"
#include "agent/checkers/script_projects.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/paths.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

constexpr size_t kMaxFiles = 50'000;
constexpr size_t kMaxProject = 256u << 10;  // of a configuration
constexpr off_t kMaxHeader = 256 << 10;     // without an extension; else it is a program

// Packages, and what tools made: each tool marks its own folder.
bool is_skipped_folder(const std::string& path) {
  const std::string_view name = last_part(path);
  os::FileStatus info{};
  const auto has = [&](const char* file) {
    return os::lstat(join_path(path, file).c_str(), &info) == 0;
  };
  if (name == "target" || name == "venv" || name == "env")
    return has("CACHEDIR.TAG") || has("pyvenv.cfg");
  return name.starts_with('.') || name == "node_modules" || name == "__pycache__" ||
         name == "CMakeFiles";
}

}  // namespace

SourceFiles::File SourceFiles::stamped(const os::FileStatus& info) {
  File file;
  file.time_ns = os::written_at(info);
  file.size = static_cast<uint64_t>(info.st_size);
  file.inode = info.st_ino;
  return file;
}

// Files whose names say nothing, and that a source includes: "table.dat". True: there are more.
bool SourceFiles::add_included_files() {
  std::set<std::string, std::less<>> names;
  for (const auto& [path, file] : files_) {
    if (!is_of(Imports::include, path, file)) continue;
    for (const std::string& name : file.imports)
      if (name != "*" && !is_source(name) && included_.insert(name).second) names.insert(name);
  }
  if (names.empty()) return false;
  bool has_more = false;
  walk(root_, [&](const std::filesystem::directory_entry& entry) {
    const std::string& full = os::text_of(entry.path());
    os::FileStatus info{};
    if (os::stat(full.c_str(), &info) != 0) return Walk::on;
    if (S_ISDIR(info.st_mode)) return is_skipped_folder(full) ? Walk::not_below : Walk::on;
    if (!S_ISREG(info.st_mode) || !names.contains(last_part(full))) return Walk::on;
    File& file = files_[full.substr(root_.size() + 1)] = stamped(info);
    file.is_compiled = has_more = true;
    return Walk::on;
  });
  return has_more;
}

// What there is, and each .bodkinignore that it meets.
SourceFiles::FoundFiles SourceFiles::look(std::map<std::string, std::string>& lists,
                                          const std::stop_token& stop) {
  FoundFiles found;
  is_complete_ = true;
  linked_.clear();
  links_out_.clear();
  private_.clear();
  lists.clear();
  walk(root_, [&](const std::filesystem::directory_entry& entry) {
    if (stop.stop_requested()) return Walk::end;
    const std::string& full = os::text_of(entry.path());
    const std::string_view name = last_part(full);
    os::FileStatus info{};
    if (name == ".bodkinignore") lists[full] = read_file(full, kMaxSource).value_or("");
    if (os::lstat(full.c_str(), &info) != 0) return Walk::on;
    if (S_ISLNK(info.st_mode)) {
      std::error_code error;
      const std::string target = os::canonical(full, error).generic_string();
      if (!error && target.starts_with(root_ + "/")) {
        linked_.insert(target.substr(root_.size() + 1));
      } else if (!error) {
        links_out_.insert(full.substr(root_.size() + 1));
      }
    }
    if (note_private(full.substr(root_.size() + 1), info) && S_ISDIR(info.st_mode))
      return Walk::not_below;
    if (S_ISDIR(info.st_mode)) {
      if (!is_skipped_folder(full)) return Walk::on;
      if (name.starts_with('.')) note_private_below(full);
      return Walk::not_below;
    }
    if (!S_ISREG(info.st_mode) && !S_ISLNK(info.st_mode)) return Walk::on;
    if (!is_source(name) && !configures_checks(name) && !included_.contains(name)) return Walk::on;
    if (name.find('.') == name.npos && info.st_size > kMaxHeader) return Walk::on;
    if (found.size() >= kMaxFiles) {
      is_complete_ = false;
      return Walk::end;
    }
    File& file = found.emplace(full.substr(root_.size() + 1), stamped(info)).first->second;
    file.is_compiled = included_.contains(name);
    return Walk::on;
  });
  return found;
}

std::vector<SourceFiles::Change> SourceFiles::refresh(const std::vector<std::string>& also,
                                                      const std::stop_token& stop) {
  std::vector<Change> changes;
  const auto was_private = private_;
  IgnoreLists ignored(root_);
  if (is_first_ || !ignored.has_same_above(ignored_)) {
    are_private_.clear();
    ignored_ = ignored;
  }
  std::map<std::string, std::string> lists;
  FoundFiles found = look(lists, stop);
  if (lists != lists_ && !is_first_) {
    are_private_.clear();
    ignored_ = std::move(ignored);
    found = look(lists, stop);
  }
  lists_ = std::move(lists);
  for (const std::string& path : also) {
    os::FileStatus info{};
    if (path.starts_with(root_ + "/") && os::stat(path.c_str(), &info) == 0 &&
        S_ISREG(info.st_mode)) {
      found.emplace(path.substr(root_.size() + 1), stamped(info)).first->second.is_compiled = true;
    }
  }
  for (auto& [path, file] : found) {
    const auto old = files_.find(path);
    if (old == files_.end()) {
      changes.push_back({path, 1});
    } else if (!old->second.is_as(file)) {
      changes.push_back({path, 2});
    } else {
      file = std::move(old->second);
    }
  }
  for (const auto& [path, file] : files_)
    if (!found.contains(path)) changes.push_back({path, 3});
  files_ = std::move(found);
  has_new_private_ = std::ranges::any_of(private_, [&](const auto& file) {
    const auto old = was_private.find(file.first);
    return old == was_private.end() || old->second != file.second;
  });
  if (std::exchange(is_first_, false)) changes.clear();
  return changes;
}

// Whether no model may see it. What a link leads to has its own name.
bool SourceFiles::note_private(const std::string& path, const os::FileStatus& info) {
  // Files that git keeps for itself are never compiled.
  if (S_ISLNK(info.st_mode) || last_part(path) == ".git") return false;
  auto known = are_private_.find(path);
  if (known == are_private_.end())
    known = are_private_.emplace(path, is_secret(path) || ignored_.ignores(path)).first;
  if (known->second) private_[path] = info.st_ino;
  return known->second;
}

// In folders that hold no sources, up to a limit.
void SourceFiles::note_private_below(const std::string& folder) {
  if (last_part(folder) == ".git") return;
  size_t count = 0;
  walk(folder, [&](const std::filesystem::directory_entry& entry) {
    os::FileStatus info{};
    const std::string& full = os::text_of(entry.path());
    if (++count > kMaxHiddenFiles) return Walk::end;
    if (os::lstat(full.c_str(), &info) != 0) return Walk::on;
    const std::string_view name = last_part(full);
    return note_private(full.substr(root_.size() + 1), info) || name == "site-packages" ||
                   name == ".git"
               ? Walk::not_below
               : Walk::on;
  });
}

bool SourceFiles::is_private(std::string_view path) const {
  for (; !path.empty(); path = folder_part(path))
    if (private_.contains(path)) return true;
  return false;
}

std::vector<std::string> SourceFiles::all_of(Imports imports) const {
  std::vector<std::string> result;
  for (const auto& [path, file] : files_)
    if (is_of(imports, path, file) && language_of(path)) result.push_back(path);
  return result;
}

std::vector<std::string> SourceFiles::of_language(std::string_view id) const {
  std::vector<std::string> result;
  for (const auto& [path, file] : files_) {
    const Language* language = language_of(path);
    if (language && language->id == id) result.push_back(path);
  }
  return result;
}

bool SourceFiles::is_linked(std::string_view path) const {
  for (; !path.empty(); path = folder_part(path))
    if (linked_.contains(path)) return true;
  return false;
}

std::vector<std::string> SourceFiles::named(std::string_view name) const {
  std::vector<std::string> result;
  for (const auto& [path, file] : files_)
    if (last_part(path) == name) result.push_back(path);
  return result;
}

std::vector<std::string> SourceFiles::script_projects() const {
  std::vector<std::string> result;
  for (const auto& [path, file] : files_) {
    const std::string_view name = last_part(path);
    if (!name.ends_with(".json") || name == "pyrightconfig.json") continue;
    const bool is_named = name.starts_with("tsconfig") || name.starts_with("jsconfig");
    if (!is_named && !file.is_script_project) {
      const auto text = read_file(join_path(root_, path), kMaxProject);
      file.is_script_project = text && is_script_project(*text);
    }
    if (is_named || *file.is_script_project) result.push_back(path);
  }
  return result;
}

bool SourceFiles::has_nested_database(std::string_view path) const {
  for (std::string_view folder = folder_part(path); !folder.empty(); folder = folder_part(folder)) {
    for (const char* name : {"/compile_commands.json", "/build/compile_commands.json"})
      if (files_.contains(std::string(folder) + name)) return true;
  }
  return false;
}

}  // namespace bodkin
