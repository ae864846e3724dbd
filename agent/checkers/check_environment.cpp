// Whether what the project needs is on this machine. Without it a server knows another program than
// the one that is built: what comes from a missing package may be anything, other options count,
// and that it finds no error proves nothing.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/check.h"
#include "agent/checkers/script_projects.h"
#include "agent/support/shown_text.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// What a server reports if something that the file imports is not there.
bool is_unresolved(Imports imports, const Diagnostic& problem) {
  const auto says = [&](std::string_view words) { return problem.message.contains(words); };
  switch (imports) {
    case Imports::python:
      // "… from source": its types are known.
      return problem.code == "reportMissingImports" ||
             (says("could not be resolved") && says("Import \"") && !says("from source"));
    case Imports::script:
      for (const std::string_view code : {"2307", "2354", "2580", "2581", "2582", "2591", "2592",
                                          "2593", "2688", "2792", "2875", "7016", "7026"})
        if (problem.code == code) return true;
      return false;
    case Imports::go:
      return problem.code == "BrokenImport" || problem.message.starts_with("could not import ") ||
             says("no required module provides package") || says("cannot find module");
    case Imports::include:  // is_incomplete()
    case Imports::none:
      break;
  }
  return false;
}

// The package of a module that a problem quotes: "a" of 'a.b', "@s/a" of '@s/a/b'; empty: it is the
// project's own.
std::string package_in(Imports imports, std::string_view message) {
  const size_t begin = message.find_first_of("'\"");
  const size_t end = begin == message.npos ? begin : message.find(message[begin], begin + 1);
  if (end == message.npos) return "";
  const std::string_view name = message.substr(begin + 1, end - begin - 1);
  if (name.starts_with('.')) return "";
  if (imports == Imports::python) return std::string(name.substr(0, name.find('.')));
  const size_t scope = name.starts_with('@') ? name.find('/') : name.npos;
  return std::string(name.substr(0, name.find('/', scope == name.npos ? 0 : scope + 1)));
}

// The parts of the module's name that a problem quotes.
std::set<std::string> words_in_quotes(std::string_view message) {
  const size_t begin = message.find_first_of("'\"");
  const size_t end = begin == message.npos ? begin : message.find(message[begin], begin + 1);
  std::set<std::string> words;
  if (end == message.npos) return words;
  // A script's name may be no word.
  const std::string_view name = file_name(message.substr(begin + 1, end - begin - 1));
  words.emplace(name.substr(0, name.find('.')));
  each_word(message.substr(begin, end - begin),
            [&](std::string_view word) { words.emplace(word); });
  return words;
}

}  // namespace

bool Checkers::Check::is_missing_package(Imports imports, const Diagnostic& problem,
                                         const std::vector<Diagnostic>& before) {
  if (!is_unresolved(imports, problem)) return false;
  const std::string package = package_in(imports, problem.message);
  return !package.empty() && std::ranges::any_of(before, [&](const Diagnostic& old) {
    return is_unresolved(imports, old) && package_in(imports, old.message) == package;
  });
}

// The configurations of the folders above the file; TypeScript's and pyright's.
std::string Checkers::Check::missing_of_configurations(const Group& group) const {
  const auto read = [&](const std::string& path) { return text_of_project(path); };
  const auto exists = [&](const std::string& path) {
    std::error_code error;
    return fs::exists(path.starts_with('/') ? path : full(path), error);
  };
  std::vector<std::string> configurations;
  if (group.command.imports == Imports::script) configurations = project_.files.script_projects();
  if (group.command.imports == Imports::python)
    configurations = project_.files.named("pyrightconfig.json");
  if (group.command.imports == Imports::python && configurations.empty())
    configurations = projects_of(Imports::python);
  for (const std::string& path : configurations) {
    const bool is_above = std::ranges::any_of(group.files, [&](const ChangedFile& file) {
      const std::string folder(folder_of(path));
      return folder.empty() || final_path(file).starts_with(folder + "/");
    });
    const std::string missing = is_above ? missing_of_project(path, read, exists) : "";
    if (!missing.empty()) return path + " " + missing;
  }
  return "";
}

// A changed file that no project includes, and that no file of a project imports. Empty: none.
std::string Checkers::Check::changed_but_left_out(const Group& group) const {
  if (group.command.imports != Imports::script) return "";
  const auto imports = [&](const ChangedFile& user, const std::string& path) {
    if (!user.after || final_path(user) == path) return false;
    const auto imported = imported_keys(Imports::script, user.after->str());
    return std::ranges::any_of(keys_of(Imports::script, path),
                               [&](const std::string& key) { return imported.contains(key); });
  };
  for (const ChangedFile& file : group.files) {
    const std::string path = final_path(file);
    const bool has_new_user = std::ranges::any_of(group.files, [&](const ChangedFile& user) {
      return imports(user, path) && !is_left_out(group, final_path(user));
    });
    if (file.after && !has_new_user && is_left_out(group, path)) return path;
  }
  return "";
}

// `after`: what the server says of the draft.
void Checkers::Check::check_environment(const Group& group, const Problems& after) {
  const Imports imports = group.command.imports;
  if (const std::string missing = missing_of_configurations(group); !missing.empty())
    return not_checked(missing);
  if (const std::string left_out = changed_but_left_out(group); !left_out.empty())
    return not_checked(fmt::format("no project includes {}", left_out));
  if (imports != Imports::script && imports != Imports::python && imports != Imports::go) return;
  std::set<std::string> paths;
  for (const ChangedFile& file : group.files)
    if (file.after) paths.insert(final_path(file));
  std::set<std::string> others;  // that have not been asked about
  for (const std::string& path : project_.files.imported_by(
           imports, paths, [&](const std::string& name) { return drafted(name); })) {
    if (others.size() >= group.command.kind->most_dependents) break;
    if (!after.contains(full(path))) others.insert(path);
    paths.insert(path);
  }
  Problems known;
  if (!others.empty()) {
    auto looked = base_of(group, server_of(group), others);
    if (!looked) return not_checked(looked.error().message);
    known = *std::move(looked);
  }
  // A user that cannot find what has changed knows nothing of it.
  for (const auto& [path, problems] : after) {
    for (const Diagnostic& problem : problems.list) {
      if (paths.contains(relative(path)) || !is_unresolved(imports, problem)) continue;
      const auto named = words_in_quotes(problem.message);
      for (const ChangedFile& file : group.files)
        if (std::ranges::any_of(keys_of(imports, final_path(file)),
                                [&](const std::string& key) { return named.contains(key); }))
          return not_checked(fmt::format("{} may use {}, and does not find it: {}", relative(path),
                                         file.path, plain_line(problem.message)));
    }
  }
  for (const std::string& path : paths) {
    const auto drafted_problems = after.find(full(path));
    const auto& problems =
        drafted_problems == after.end() ? known[full(path)] : drafted_problems->second;
    for (const Diagnostic& problem : problems.list) {
      if (!is_unresolved(imports, problem)) continue;
      return not_checked(fmt::format("{} needs what is not installed here: {}", path,
                                     problem.message.substr(0, problem.message.find('\n'))));
    }
  }
}

}  // namespace bodkin
