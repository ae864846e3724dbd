#include "agent/checkers/script_projects.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "agent/checkers/imports.h"
#include "agent/platform/paths.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "agent/workspace/privacy.h"
#include "edits/plan/paths.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using nlohmann::json;
using ReadConfiguration = std::function<std::optional<std::string>(const std::string&)>;

using Exists = std::function<bool(const std::string&)>;

constexpr int kMaxExtended = 32;          // files that a project is put together from
constexpr size_t kMaxReferred = 1'000;    // projects that one refers to, and those that they do
constexpr std::ptrdiff_t kMaxAbove = 12;  // folders above the root

// Options that control what is written and where, not what is an error.
constexpr std::string_view kOfOutput =
    " outDir outFile noEmit noEmitOnError declaration declarationDir declarationMap "
    "emitDeclarationOnly "
    "sourceMap sourceRoot mapRoot inlineSources inlineSourceMap removeComments composite "
    "incremental "
    "tsBuildInfoFile rootDir newLine importHelpers stripInternal preserveWatchOutput pretty "
    "listFiles diagnostics disableSizeLimit assumeChangesOnlyAffectDirectDependencies ";

// tsconfig.json may have comments, and commas at ends.
json lenient_json(std::string text) {
  bool is_string = false;
  size_t comma = text.npos;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string) {
      if (c == '\\') ++i;
      is_string = c != '"';
      continue;
    }
    if (c == '/' && i + 1 < text.size() && (text[i + 1] == '/' || text[i + 1] == '*')) {
      const bool is_line = text[i + 1] == '/';
      size_t end = text.find(is_line ? "\n" : "*/", i + 2);
      end = end == text.npos ? text.size() : end + (is_line ? 0 : 2);
      std::fill(text.begin() + static_cast<ptrdiff_t>(i),
                text.begin() + static_cast<ptrdiff_t>(end), ' ');
      i = end - 1;
    } else if (c == ',') {
      comma = i;
    } else if (c == '}' || c == ']') {
      if (comma != text.npos) text[comma] = ' ';
      comma = text.npos;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
      comma = text.npos;
      is_string = c == '"';
    }
  }
  return parse_json(text).value_or(json());
}

struct ScriptProject {
  json options = json::object();
  // Relative to the root.
  std::optional<std::vector<std::string>> files, include, exclude, ignore;
  std::vector<std::string> references;
  std::string missing;  // as missing_of_project() says it; what was read before it is there
};

std::string path_below(std::string_view folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).lexically_normal().generic_string();
}

// Looks as node does: in the folder, and in all above it.
bool is_installed(const std::string& folder, const std::string& package, const Exists& exists) {
  const auto depth = std::ranges::count(folder, '/') + kMaxAbove;
  std::string above = folder.empty() ? "" : folder + "/";
  for (std::ptrdiff_t i = 0; i <= depth; ++i, above += "../") {
    if (exists(above + "node_modules/" + package)) return true;
  }
  return false;
}

// "@scope/name/file.json" -> "@scope/name"
std::string package_of(const std::string& name) {
  const size_t slash = name.find('/', name.starts_with('@') ? name.find('/') + 1 : 0);
  return name.substr(0, slash);
}

// `exists`: null if packages and environments do not matter.
void add_project(const std::string& path, const ReadConfiguration& read, const Exists& exists,
                 int& count, ScriptProject& project) {
  const std::string folder(folder_part(path));
  const auto text = ++count <= kMaxExtended ? read(path) : std::nullopt;
  const json given = text ? lenient_json(*text) : json();
  if (!given.is_object()) {
    project.missing = "cannot be read";
    return;
  }
  const bool is_of_scripts = !path.ends_with("pyrightconfig.json") && !path.ends_with(".toml");
  const json& extended = at(given, "extends");
  for (const json& base : extended.is_array() ? extended : json::array({extended})) {
    if (!base.is_string() || !project.missing.empty()) continue;
    const std::string name = base.get<std::string>();
    const bool is_absolute = os::is_absolute(name);
    if (!name.starts_with('.') && !is_absolute && is_of_scripts) {
      if (exists && !is_installed(folder, package_of(name), exists))
        project.missing = "extends " + name + ", which is missing";
      continue;
    }
    std::string file = is_absolute ? name : path_below(folder, name);
    const auto is_there = [&] { return exists ? exists(file) : read(file).has_value(); };
    if (!is_there()) file += ".json";
    if (!is_there())
      project.missing = "extends " + name + ", which is missing";
    else if (!is_absolute)
      add_project(file, read, exists, count, project);
  }
  if (!project.missing.empty()) return;
  for (const auto& [name, value] : at(given, "compilerOptions").items())
    if (kOfOutput.find(" " + name + " ") == kOfOutput.npos) project.options[name] = value;
  const auto take = [&](const char* key, std::optional<std::vector<std::string>>& list) {
    if (!at(given, key).is_array()) return;
    list.emplace();
    for (const json& one : at(given, key))
      if (one.is_string()) list->push_back(path_below(folder, one.get<std::string>()));
  };
  take("files", project.files);
  take("include", project.include);
  take("exclude", project.exclude);
  take("ignore", project.ignore);
  project.references.clear();  // they are not inherited
  for (const json& one : at(given, "references")) {
    std::string name = path_below(folder, string_at(one, "path"));
    while (name.ends_with('/')) name.pop_back();
    if (!name.ends_with(".json")) name += name.empty() ? "tsconfig.json" : "/tsconfig.json";
    project.references.push_back(std::move(name));
  }
  const std::string venv = string_at(given, "venv"), above = string_at(given, "venvPath");
  if (exists && !is_of_scripts && !venv.empty() && !above.empty() && !above.starts_with('~') &&
      !exists(os::is_absolute(above) ? above + "/" + venv : path_below(folder, above + "/" + venv)))
    project.missing = "names the environment " + venv + ", which is missing";
}

ScriptProject read_project(const std::string& path, const ReadConfiguration& read,
                           const Exists& exists = nullptr) {
  ScriptProject project;
  int count = 0;
  add_project(path, read, exists, count, project);
  return project;
}

// Matches as tsc does, which knows no sets.
bool matches_pattern(std::string_view pattern, std::string_view path) {
  std::string escaped;
  for (const char c : pattern) escaped += (c == '[' || c == '\\' ? "\\" : "") + std::string(1, c);
  return pattern_matches(escaped, path);
}

bool matches_any(const std::vector<std::string>& patterns, const std::string& file) {
  return std::ranges::any_of(patterns, [&](std::string pattern) {
    while (pattern.ends_with('/')) pattern.pop_back();
    return pattern == "." || pattern.empty() || matches_pattern(pattern, file) ||
           matches_pattern(pattern + "/**", file);
  });
}

bool has_file(const ScriptProject& project, const std::string& path, const std::string& file) {
  if (project.files && std::ranges::find(*project.files, file) != project.files->end()) return true;
  if (!project.include && project.files) return false;
  const std::string folder(folder_part(path));
  return matches_any(project.include.value_or(std::vector<std::string>{folder}), file) &&
         !(project.exclude && matches_any(*project.exclude, file));
}

// Whether tsserver finds a project that includes the file: the configuration of the nearest folder
// above it that has one, or what that refers to.
bool is_found(const std::vector<std::string>& projects, const std::string& file,
              const ReadConfiguration& read) {
  std::vector<std::string> found;
  for (std::string_view folder = folder_part(file);; folder = folder_part(folder)) {
    for (const char* name : {"tsconfig.json", "jsconfig.json"}) {
      std::string path = std::string(folder) + (folder.empty() ? "" : "/") + name;
      if (found.empty() && std::ranges::find(projects, path) != projects.end())
        found.push_back(std::move(path));
    }
    if (folder.empty() || !found.empty()) break;
  }
  for (size_t i = 0; i < found.size(); ++i) {
    const ScriptProject project = read_project(found[i], read);
    if (!project.missing.empty()) continue;
    if (has_file(project, found[i], file)) return true;
    for (const std::string& path : project.references)
      if (found.size() < kMaxReferred && std::ranges::find(found, path) == found.end())
        found.push_back(path);
  }
  return false;
}

}  // namespace

std::string missing_of_project(const std::string& path, const ReadConfiguration& read,
                               const Exists& exists) {
  const ScriptProject project = read_project(path, read, exists);
  if (!project.missing.empty() || project.options.contains("typeRoots")) return project.missing;
  for (const json& type : at(project.options, "types")) {
    if (!type.is_string()) continue;
    const std::string name = type.get<std::string>(), folder(folder_part(path));
    const bool is_there = name.starts_with('.') || is_installed(folder, package_of(name), exists) ||
                          is_installed(folder, "@types/" + package_of(name), exists);
    if (!is_there) return "needs the types of " + name + ", which are not installed";
  }
  return "";
}

bool is_script_project(const std::string& text) {
  if (!text.contains("\"extends\"") && !text.contains("\"compilerOptions\"")) return false;
  const json given = lenient_json(text);
  const bool has_options = at(given, "compilerOptions").is_object();
  const json& extended = at(given, "extends");
  const bool extends = extended.is_string() || extended.is_array();
  const bool lists = at(given, "include").is_array() || at(given, "files").is_array();
  return (has_options && extends) || (lists && (has_options || extends));
}

bool is_in_project(const std::vector<std::string>& projects, const std::string& file,
                   const ReadConfiguration& read) {
  return std::ranges::any_of(projects, [&](const std::string& path) {
    const ScriptProject project = read_project(path, read);
    return !project.missing.empty() || has_file(project, path, file);
  });
}

bool projects_differ(const std::vector<std::string>& projects, const std::string& file,
                     const ReadConfiguration& read) {
  std::set<std::string> seen;
  for (const std::string& path : projects) {
    const ScriptProject project = read_project(path, read);
    if (project.missing.empty() && has_file(project, path, file))
      seen.insert(project.options.dump());
  }
  return seen.size() > 1 || (!seen.empty() && !is_found(projects, file, read));
}

bool is_ignored(const std::string& path, const std::string& file, const ReadConfiguration& read) {
  const ScriptProject project = read_project(path, read);
  return project.missing.empty() && project.ignore && matches_any(*project.ignore, file);
}

std::optional<std::string> pyright_settings(const std::string& pyproject) {
  json settings = json::object();
  bool is_ours = false, is_there = false;
  std::string name;  // of the statement that a line is in: a list may take several
  json strings;
  bool is_list = false, is_closed = false;
  each_line(pyproject, [&](std::string_view line) {
    line = trimmed(line);
    if (name.empty() && line.starts_with('[')) {
      is_ours = line.starts_with("[tool.pyright]") || line.starts_with("[tool.basedpyright]");
      is_there = is_there || is_ours;
      return;
    }
    if (!is_ours || line.starts_with('#')) return;
    if (name.empty()) {
      const size_t equals = line.find('=');
      name = trimmed(line.substr(0, equals));
      if (equals == line.npos || name.empty()) return name.clear();
      line.remove_prefix(equals + 1);
      strings = json::array();
      is_list = is_closed = false;
    }
    for (size_t i = 0; i < line.size() && line[i] != '#' && !is_closed; ++i) {
      const char c = line[i];
      if (c == '"' || c == '\'') {
        const size_t end = std::min(line.find(c, i + 1), line.size());
        strings.push_back(std::string(line.substr(i + 1, end - i - 1)));
        i = end;
      } else {
        is_list = is_list || c == '[';
        is_closed = c == ']';
      }
    }
    if (is_list && !is_closed) return;
    if (is_list) {
      settings[name] = std::move(strings);
    } else if (!strings.empty()) {
      settings[name] = strings[0];
    }
    name.clear();
  });
  return is_there ? std::optional(settings.dump()) : std::nullopt;
}

}  // namespace bodkin
