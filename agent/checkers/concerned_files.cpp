// Which files a check asks about: a dependent that is left out is an error that is not seen.
#include <algorithm>

#include "agent/checkers/changed_names.h"
#include "agent/checkers/check.h"
#include "agent/checkers/imports.h"
#include "agent/checkers/plain_edits.h"
#include "agent/checkers/script_projects.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

constexpr size_t kManyUnits = 4;  // of which it pays not to look at each

}  // namespace

// The files whose problems decide: the changed ones, and those that depend on them.
// Decides: which files a check looks at.
std::set<std::string> Checkers::Check::files_to_ask(const Group& group, bool& is_partial) {
  const ServerKind& kind = *group.command.kind;
  const Imports imports = group.command.imports;
  std::set<std::string> asked;
  for (const ChangedFile& file : group.files) {
    asked.insert(final_path(file));
    asked.insert(file.path);
  }
  std::vector<std::string> users = project_.files.dependents(imports, group.files);
  for (const auto& [path, text] : buffers_of(group)) {  // they may have imports that no disk has
    const auto imported = imported_keys(imports, text.str());
    const bool is_user = std::ranges::any_of(group.files, [&](const ChangedFile& file) {
      return std::ranges::any_of(keys_of(imports, final_path(file)),
                                 [&](const std::string& key) { return imported.contains(key); });
    });
    if (is_user && std::ranges::find(users, relative(path)) == users.end())
      users.push_back(relative(path));
  }
  // Names may be used without an import that shows it: of globals, by aliases.
  if (imports == Imports::script || imports == Imports::go) {
    auto all = project_.files.all_of(imports);
    if (all.size() <= kind.most_dependents) users = std::move(all);
  }
  if (imports == Imports::python) {  // pyright is silent about some
    const auto read = [&](const std::string& name) { return text_of_project(name); };
    const auto projects = projects_of(imports);
    std::erase_if(users, [&](const std::string& path) {
      return !projects.empty() && is_ignored(projects[0], path, read);
    });
  }
  std::vector<std::string> units = users;
  if (imports == Imports::include) keep_units(units);
  const bool change_bodies = imports == Imports::include && units.size() > kManyUnits &&
                             std::ranges::all_of(group.files, [](const ChangedFile& file) {
                               return is_plain_edit(file) || changes_bodies_alone(file);
                             });
  if (change_bodies) {  // what one unit says, the others say, too
    users.assign(asked.begin(), asked.end());
    add_compiling_units(units, users);
    keep_units(users);
    if (users.empty()) users = std::move(units);
  } else if (units.size() > kind.most_dependents) {
    keep_concerned(group, users);
    if (imports == Imports::include) {
      add_compiling_units(units, users);
      keep_units(users);
    }
    if (users.empty()) users = std::move(units);  // at least those that are compiled with it
  } else {
    users = std::move(units);
  }
  // Units are checked for as long as there is time.
  if (users.size() > kind.most_dependents && imports != Imports::include) {
    is_partial = true;
    std::ranges::stable_partition(users, [&](const std::string& path) {
      return std::ranges::find(request_.open, path) != request_.open.end();
    });
    users.resize(kind.most_dependents);
  }
  asked.insert(users.begin(), users.end());
  return asked;
}

// Those that mention what was changed, or a declaration that does, even in the changed file itself
// or in one between.
void Checkers::Check::keep_concerned(const Group& group, std::vector<std::string>& users) {
  std::set<std::string> names = changed_names(group.files);
  std::set<std::string> concerned;
  for (size_t before = names.size() + 1; !names.empty() && before != names.size();) {
    before = names.size();
    for (const ChangedFile& file : group.files) {
      for (const std::optional<Text>* text : {&file.before, &file.after})
        if (*text && !add_names_of_users(file.path, **text, names)) return;  // any of them
    }
    for (const std::string& path : users) {
      const auto text = text_now(path);
      if (text && !mentions(text->str(), names)) continue;
      concerned.insert(path);
      if (!text || !add_names_of_users(path, *text, names)) return;
    }
  }
  if (!names.empty())
    std::erase_if(users, [&](const std::string& path) { return !concerned.contains(path); });
}

// The configurations that say which files are checked, and how.
std::vector<std::string> Checkers::Check::projects_of(Imports imports) const {
  if (imports == Imports::script) return project_.files.script_projects();
  if (imports == Imports::python)
    for (const char* name : {"pyrightconfig.json", "pyproject.toml"})
      if (text_of_project(name)) return {name};
  return {};
}

std::optional<std::string> Checkers::Check::text_of_project(const std::string& path) const {
  const auto text = text_now(path);
  if (!text) return std::nullopt;
  return path.ends_with(".toml") ? pyright_settings(text->str()) : std::optional(text->str());
}

// A file that no project includes and that only such files import: the project's own check does not
// look at it.
bool Checkers::Check::is_left_out(const Group& group, const std::string& path) const {
  const Imports imports = group.command.imports;
  const auto read = [&](const std::string& name) { return text_of_project(name); };
  const std::vector<std::string> projects = projects_of(imports);
  if (projects.empty() || is_in_project(projects, path, read)) return false;
  if (imports == Imports::python) return true;  // of what is imported, nothing is reported
  ChangedFile file;
  file.path = path;
  return std::ranges::none_of(
      project_.files.dependents(imports, {file}),
      [&](const std::string& user) { return is_in_project(projects, user, read); });
}

// A removed file that a project names. Empty: none.
std::string Checkers::Check::removed_but_named(const Group& group) const {
  if (group.command.imports != Imports::script) return "";
  for (const ChangedFile& file : group.files) {
    if (file.after && !file.rename_to) continue;
    for (const std::string& project : project_.files.script_projects()) {
      const auto text = text_now(project);
      if (!text || text->str().contains(file_name(file.path))) return file.path;
    }
  }
  return "";
}

// A changed file that the folder's projects check in different ways. Empty: none.
std::string Checkers::Check::file_of_projects(const Group& group) const {
  if (group.command.imports != Imports::script) return "";
  const std::vector<std::string> projects = project_.files.script_projects();
  for (const ChangedFile& file : group.files) {
    const bool differ = projects_differ(
        projects, final_path(file), [&](const std::string& path) { return text_of_project(path); });
    if (file.after && differ) return final_path(file);
  }
  return "";
}

}  // namespace bodkin
