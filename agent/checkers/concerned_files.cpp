// Chooses the files that a check asks about: a dependent that is left out is an error that is not
// seen.
#include <algorithm>

#include "agent/checkers/changed_names.h"
#include "agent/checkers/imports.h"
#include "agent/checkers/script_projects.h"
#include "agent/checkers/server_checker.h"
#include "edits/plan/paths.h"

namespace bodkin {

// The changed files, and those that depend on them.
// Decides: which files a check looks at.
std::set<std::string> ServerChecker::files_to_ask() {
  const ServerKind& kind = *server_.command.kind;
  const Imports imports = server_.command.imports;
  std::set<std::string> asked;
  for (const ChangedFile& file : server_.files) {
    asked.insert(file.last_path());
    asked.insert(file.path);
  }
  std::vector<std::string> users = project_.files.dependents(imports, server_.files);
  for (const auto& [path, text] : server_.buffers()) {  // they may have imports that no disk has
    const auto imported = imported_keys(imports, text.str());
    const bool is_user = std::ranges::any_of(server_.files, [&](const ChangedFile& file) {
      return std::ranges::any_of(keys_of(imports, file.last_path()),
                                 [&](const std::string& key) { return imported.contains(key); });
    });
    if (is_user && std::ranges::find(users, draft_.relative(path)) == users.end())
      users.push_back(draft_.relative(path));
  }
  // Names may be used without an import that shows it: of globals.
  if (imports == Imports::script) {
    auto all = project_.files.all_of(imports);
    if (all.size() <= kind.most_dependents) users = std::move(all);
  }
  if (imports == Imports::python) {  // pyright is silent about some
    const auto read = [&](const std::string& name) { return draft_.text_of_project(name); };
    const auto configurations = projects();
    std::erase_if(users, [&](const std::string& path) {
      return !configurations.empty() && is_ignored(configurations[0], path, read);
    });
  }
  const auto chosen = users_to_ask(std::move(users));
  asked.insert(chosen.begin(), chosen.end());
  return asked;
}

std::vector<std::string> ServerChecker::users_to_ask(std::vector<std::string> users) {
  const size_t most = server_.command.kind->most_dependents;
  if (users.size() <= most) return users;
  auto concerned = users;
  keep_concerned(concerned);
  if (!concerned.empty()) users = std::move(concerned);
  if (users.size() <= most) return users;
  is_partial_ = true;
  std::ranges::stable_partition(users, [&](const std::string& path) {
    return std::ranges::find(request_.open, path) != request_.open.end();
  });
  users.resize(most);
  return users;
}

// Those that mention what was changed, or a declaration that does, even in the changed file itself
// or in one between.
void ServerChecker::keep_concerned(std::vector<std::string>& users) const {
  std::set<std::string> names = changed_names(server_.files);
  std::set<std::string> concerned;
  for (size_t before = names.size() + 1; !names.empty() && before != names.size();) {
    before = names.size();
    for (const ChangedFile& file : server_.files) {
      for (const std::optional<Text>* text : {&file.before, &file.after})
        if (*text && !add_names_of_users(file.path, **text, names)) return;  // any of them
    }
    for (const std::string& path : users) {
      const auto text = draft_.text_now(path);
      if (text && !mentions(text->str(), names)) continue;
      concerned.insert(path);
      if (!text || !add_names_of_users(path, *text, names)) return;
    }
  }
  if (!names.empty())
    std::erase_if(users, [&](const std::string& path) { return !concerned.contains(path); });
}

// The configurations that say which files are checked, and how.
std::vector<std::string> ServerChecker::projects() const {
  if (server_.command.imports == Imports::script) return project_.files.script_projects();
  if (server_.command.imports == Imports::python)
    for (const char* name : {"pyrightconfig.json", "pyproject.toml"})
      if (draft_.text_of_project(name)) return {name};
  std::vector<std::string> result;
  if (server_.command.imports == Imports::go)
    for (const char* name : {"go.mod", "go.work"})
      for (std::string& path : project_.files.named(name)) result.push_back(std::move(path));
  return result;
}

// A file that no project includes and that only such files import: the project's own check does not
// look at it.
bool ServerChecker::is_left_out(const std::string& path) const {
  const Imports imports = server_.command.imports;
  const auto read = [&](const std::string& name) { return draft_.text_of_project(name); };
  const std::vector<std::string> configurations = projects();
  if (configurations.empty() || is_in_project(configurations, path, read)) return false;
  if (imports == Imports::python) return true;  // of what is imported, nothing is reported
  ChangedFile file;
  file.path = path;
  return std::ranges::none_of(
      project_.files.dependents(imports, {file}),
      [&](const std::string& user) { return is_in_project(configurations, user, read); });
}

// A removed file that a project names. Empty: none.
std::string ServerChecker::removed_but_named() const {
  if (server_.command.imports != Imports::script) return "";
  for (const ChangedFile& file : server_.files) {
    if (file.after && !file.rename_to) continue;
    for (const std::string& project : project_.files.script_projects()) {
      const auto text = draft_.text_now(project);
      if (!text || text->str().contains(last_part(file.path))) return file.path;
    }
  }
  return "";
}

// A changed file that the folder's projects check in different ways. Empty: none.
std::string ServerChecker::file_of_projects() const {
  if (server_.command.imports != Imports::script) return "";
  const std::vector<std::string> projects = project_.files.script_projects();
  for (const ChangedFile& file : server_.files) {
    const bool differ = projects_differ(projects, file.last_path(), [&](const std::string& path) {
      return draft_.text_of_project(path);
    });
    if (file.after && differ) return file.last_path();
  }
  return "";
}

}  // namespace bodkin
