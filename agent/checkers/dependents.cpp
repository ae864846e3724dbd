#include "agent/checkers/dependents.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "agent/checkers/file_kinds.h"
#include "agent/checkers/plain_edits.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/platform/walk.h"
#include "agent/support/path_text.h"
#include "agent/support/read_file.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

// Bytes of the path of the deepest folder that has both files.
size_t shared_folders(std::string_view a, std::string_view b) {
  const auto ends = std::ranges::mismatch(a, b);
  const std::string_view same = a.substr(0, static_cast<size_t>(ends.in1 - a.begin()));
  const size_t end = same.rfind('/');
  return end == same.npos ? 0 : end + 1;
}

bool is_named_prose(std::string_view path) {
  const std::string_view name = last_part(path);
  for (const std::string_view extension : {".md", ".rst", ".adoc"})
    if (name.ends_with(extension)) return true;
  return name.find('.') == name.npos;
}

// Whether a configuration has the file's name as a path's last part, with or without its extension.
bool mentions_file(std::string_view text, std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('.', 1));
  for (const std::string_view part : {name, stem}) {
    if (part.empty()) continue;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
      const size_t end = at + part.size();
      const char before = at == 0 ? ' ' : text[at - 1], after = end < text.size() ? text[end] : ' ';
      if (part == name && !is_word_char(before) && !is_word_char(after)) return true;
      if (before == '/' && (after == '"' || after == '\'')) return true;
    }
  }
  return false;
}

}  // namespace

bool SourceFiles::reach(Imports imports, const std::set<std::string>& paths, Hidden hidden,
                        const std::function<std::optional<Text>(const std::string&)>& text_of) {
  const auto may_be_imported = [&](const std::string& path) {
    return imports == Imports::include || bodkin::is_of(imports, path) ||
           (imports == Imports::script && path.ends_with(".json"));
  };
  bool hides_go = false;      // which files make a package, its folder says
  bool hides_source = false;  // of C or C++: nothing else is included by a name that a macro makes
  const auto hide = [&](const std::string& path) {
    if (!may_be_imported(path)) return;
    hides_source = hides_source || bodkin::is_of(Imports::include, path);
    hides_go = hides_go || imports == Imports::go;
    for (const std::string& key : keys_of(imports, path)) hidden.keys.insert(key);
  };
  for (const auto& [place, inode] : private_) {
    hide(place);
    size_t count = 0;  // nothing below it, if it is a file
    walk(join_path(root_, place), [&](const std::filesystem::directory_entry& entry) {
      hide(os::text_of(entry.path()).substr(root_.size() + 1));
      return ++count > kMaxHiddenFiles ? Walk::end : Walk::on;
    });
  }
  if (hides_go) return true;
  // A source that is not hidden by a macro can be opened, or the server says that it cannot.
  if (!hidden.by_macro || !hides_source) hidden.keys.erase("*");
  hidden.keys.erase("index");
  read_imports(imports);
  // Usually nothing leads to what is hidden, and only the draft need be looked at.
  const bool may_lead_there =
      !hidden.keys.empty() ||
      std::ranges::any_of(files_, [&](const auto& known) { return !known.second.far.empty(); });
  const FilesByKey by_key = may_lead_there ? files_by_key(imports) : FilesByKey();
  std::set<std::string> seen = paths;
  std::vector<std::string> queue(paths.begin(), paths.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    const auto text = text_of(queue[i]);
    const auto known = files_.find(queue[i]);
    File drafted;
    if (text) note_imports(imports, text->str(), drafted);
    if (!text && known == files_.end()) continue;
    const File& file = text ? drafted : known->second;
    const auto folder = std::filesystem::path(join_path(root_, queue[i])).parent_path();
    if (std::ranges::any_of(file.far, [&](const std::string& path) {
          return hidden.is_hidden((folder / path).lexically_normal().generic_string());
        }))
      return true;
    for (const std::string& key : file.imports) {
      if (hidden.keys.contains(key)) return true;
      const auto files = by_key.find(key);
      if (key == "*" || files == by_key.end()) continue;
      for (const std::string& path : files->second)
        if (seen.insert(path).second) queue.push_back(path);
    }
  }
  return false;
}

// Files that a compilation database names are C or C++, whatever their names.
bool SourceFiles::is_of(Imports imports, const std::string& path, const File& file) {
  return bodkin::is_of(imports, path) || (imports == Imports::include && file.is_compiled);
}

void SourceFiles::note_imports(Imports imports, const std::string& text, File& file) {
  file.imports = imported_keys(imports, text);
  file.far = far_imports(imports, text);
  file.forbids_calls = imports == Imports::include && bodkin::forbids_calls(text);
  file.is_global = imports == Imports::script && declares_globals(text);
}

void SourceFiles::read_imports(Imports imports) {
  for (auto& [path, file] : files_) {
    if (file.is_read || !is_of(imports, path, file)) continue;
    file.is_read = true;
    const auto text = read_file(join_path(root_, path), kMaxSource);
    file.is_unknown = !text;
    if (text) note_imports(imports, *text, file);
  }
}

// Decides: which files depend on a changed one.
std::vector<std::string> SourceFiles::dependents(Imports imports,
                                                 const std::vector<ChangedFile>& changed) {
  if (imports == Imports::none || imports == Imports::go) return {};
  read_imports(imports);
  while (imports == Imports::include && add_included_files()) read_imports(imports);
  std::map<std::string, std::vector<std::string>, std::less<>> importers;  // by key
  std::vector<std::string> all;
  for (const auto& [path, file] : files_) {
    if (!is_of(imports, path, file)) continue;
    all.push_back(path);
    for (const std::string& key : file.imports) importers[key].push_back(path);
    if (file.is_unknown) is_complete_ = false;
  }
  std::vector<std::string> result, frontier;
  std::set<std::string, std::less<>> seen;
  const auto add = [&](const std::string& path) {
    if (seen.insert(path).second) frontier.push_back(path);
  };
  for (const ChangedFile& file : changed) {
    add(file.path);
    if (file.rename_to) add(*file.rename_to);
  }
  const size_t own = frontier.size();
  for (size_t i = 0; i < frontier.size(); ++i) {
    const std::string path = frontier[i];
    for (const std::string& key : keys_of(imports, path)) {
      const auto found = importers.find(key);
      if (found == importers.end()) continue;
      for (const std::string& importer : found->second) add(importer);
    }
    const auto known = files_.find(path);
    const bool is_global =
        last_part(path) == "__builtins__.pyi" ||
        (imports == Imports::script &&
         (path.ends_with(".d.ts") || (known != files_.end() && known->second.is_global) ||
          std::ranges::any_of(changed, [&](const ChangedFile& file) {
            return bodkin::is_of(imports, path) && (file.path == path || file.rename_to == path) &&
                   ((file.before && declares_globals(file.before->str())) ||
                    (file.after && declares_globals(file.after->str())));
          })));
    if (is_global) {
      for (const std::string& other : std::exchange(all, {})) add(other);
    }
  }
  result.assign(frontier.begin() + static_cast<ptrdiff_t>(own), frontier.end());
  return result;
}

SourceFiles::FilesByKey SourceFiles::files_by_key(Imports imports) const {
  FilesByKey result;
  for (const auto& [path, file] : files_)
    if (is_of(imports, path, file))
      for (const std::string& key : keys_of(imports, path)) result[key].push_back(path);
  return result;
}

std::vector<std::string> SourceFiles::imported_by(
    Imports imports, const std::set<std::string>& paths,
    const std::function<std::optional<Text>(const std::string&)>& text_of) {
  read_imports(imports);
  const FilesByKey by_key = files_by_key(imports);
  std::set<std::string> seen = paths;
  std::vector<std::string> result(paths.begin(), paths.end());
  for (size_t i = 0; i < result.size(); ++i) {
    const auto text = text_of(result[i]);
    const auto known = files_.find(result[i]);
    if (!text && known == files_.end()) continue;
    for (const std::string& key :
         text ? imported_keys(imports, text->str()) : known->second.imports) {
      const auto files = by_key.find(key);
      if (key == "*" || files == by_key.end()) continue;
      // The nearest of several modules of that name is meant; a header may be any of them.
      size_t nearest = 0;
      for (const std::string& path : files->second)
        if (imports != Imports::include)
          nearest = std::max(nearest, shared_folders(result[i], path));
      const std::string user = result[i];
      for (const std::string& path : files->second)
        if ((nearest == 0 || shared_folders(user, path) >= nearest) && seen.insert(path).second)
          result.push_back(path);
    }
  }
  result.erase(result.begin(), result.begin() + static_cast<ptrdiff_t>(paths.size()));
  return result;
}

bool SourceFiles::forbid_calls(
    const std::set<std::string>& paths,
    const std::function<std::optional<Text>(const std::string&)>& text_of) {
  read_imports(Imports::include);
  const auto forbids = [&](const std::string& path) {
    if (const auto text = text_of(path)) return bodkin::forbids_calls(text->str());
    const auto known = files_.find(path);
    return known != files_.end() && known->second.forbids_calls;
  };
  if (std::ranges::any_of(paths, forbids)) return true;
  // Few projects have any.
  if (std::ranges::none_of(files_, [&](const auto& known) { return forbids(known.first); }))
    return false;
  return std::ranges::any_of(imported_by(Imports::include, paths, text_of), forbids);
}

std::string SourceFiles::user_outside(const std::vector<std::string>& units,
                                      const std::set<std::string>& files) {
  for (const std::string& path : units) {
    os::FileStatus info{};
    if (path.starts_with(root_ + "/") || os::stat(path.c_str(), &info) != 0) continue;
    File& unit = outside_[path];
    if (File now = stamped(info); !unit.is_read || !unit.is_as(now)) {
      unit = std::move(now);
      unit.is_read = true;
      unit.imports =
          imported_keys(Imports::include, read_file(path, kMaxSource).value_or(std::string()));
    }
    if (std::ranges::any_of(files, [&](const std::string& file) {
          return unit.imports.contains(std::string(last_part(file)));
        }))
      return path;
  }
  return "";
}

std::string SourceFiles::user_of_data(const ChangedFile& file) {
  for (const Imports imports : {Imports::include, Imports::script}) {
    if (const auto users = dependents(imports, {file}); !users.empty()) return users[0];
  }
  const bool is_removed = !file.after || file.rename_to;
  const bool is_created = !file.before || file.rename_to;
  const std::string name(last_part(file.path));
  const auto projects = script_projects();
  for (const auto& [path, source] : files_) {
    if (path == file.path) continue;
    const Language* const language = language_of(path);
    const bool is_configuration =
        configures_checks(path) || std::ranges::find(projects, path) != projects.end();
    // Rust's macros, a library's own among them, read any file when they are compiled; other
    // languages embed it, so that only its absence matters, and for Go's patterns its presence. A
    // build script may read anything next to it.
    if (last_part(path) == "build.rs" && !is_named_prose(file.path) &&
        (folder_part(path).empty() || file.path.starts_with(std::string(folder_part(path)) + "/")))
      return path;
    const bool is_code = language && !is_data(language, path);
    const bool is_source = is_code && (is_removed || language->id == "rust");
    const bool may_embed = is_code && language->id == "go" && (is_removed || is_created);
    if (!is_configuration && !is_source && !may_embed) continue;
    const auto text = read_file(join_path(root_, path), kMaxSource);
    if (!text) return path;
    // A list of packages or of what is published names prose and says nothing about it.
    if (is_configuration && !is_named_prose(file.path) && mentions_file(*text, name)) return path;
    const auto is_below = [&](const std::string& data) {
      return data.starts_with(folder_part(path));
    };
    if (is_source && text->contains(name)) return path;
    if (may_embed && text->contains("//go:embed") &&
        (is_below(file.path) || (file.rename_to && is_below(*file.rename_to))))
      return path;
  }
  return "";
}

}  // namespace bodkin
