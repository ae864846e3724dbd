// Whether what the project needs is on this machine. Without it a server knows another program than
// the one that is built: what comes from a missing package may be anything, other options count,
// and that it finds no error proves nothing.

#include <algorithm>
#include <filesystem>

#include "agent/checkers/imports.h"
#include "agent/checkers/script_projects.h"
#include "agent/checkers/server_checker.h"
#include "agent/platform/paths.h"
#include "edits/plan/paths.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

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

// True if a file with this text imports it in a branch, or once it is needed, and so runs without
// it, and the edits bring no word of that import.
bool does_without(Imports imports, const Text& text, std::span<const Replacement> edits,
                  const Diagnostic& problem) {
  if (imports != Imports::python || problem.lines.begin >= text.line_count()) return false;
  const std::string import = text.line(problem.lines.begin);
  if (!import.starts_with(' ') && !import.starts_with('\t')) return false;
  std::set<std::string, std::less<>> words;
  each_word(import, [&](std::string_view word) { words.emplace(word); });
  for (const char* keyword : {"from", "import", "as"}) words.erase(keyword);
  bool uses = false;
  for (const Replacement& edit : edits)
    each_word(edit.text, [&](std::string_view word) { uses |= words.contains(word); });
  return !uses;
}

}  // namespace

// Whether the problem says that something that the file imports could not be found.
bool ServerChecker::is_unresolved(Imports imports, const Diagnostic& problem) {
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

bool ServerChecker::is_missing_package(Imports imports, const Diagnostic& problem,
                                       const std::vector<Diagnostic>& before) {
  if (!is_unresolved(imports, problem)) return false;
  const std::string package = package_in(imports, problem.message);
  return !package.empty() && std::ranges::any_of(before, [&](const Diagnostic& old) {
    return is_unresolved(imports, old) && package_in(imports, old.message) == package;
  });
}

// The configurations of the folders above the file; TypeScript's and pyright's.
std::string ServerChecker::missing_of_configurations() const {
  const auto read = [&](const std::string& path) { return draft_.text_of_project(path); };
  const auto exists = [&](const std::string& path) {
    std::error_code error;
    return fs::exists(os::is_absolute(path) ? path : draft_.full(path), error);
  };
  if (server_.command.imports == Imports::go) return "";
  for (const std::string& path : projects()) {
    const bool is_above = std::ranges::any_of(server_.files, [&](const ChangedFile& file) {
      const std::string folder(folder_part(path));
      return folder.empty() || file.last_path().starts_with(folder + "/");
    });
    const std::string missing = is_above ? missing_of_project(path, read, exists) : "";
    if (!missing.empty()) return path + " " + missing;
  }
  return "";
}

// `after`: what the server says of the draft.
void ServerChecker::check_environment(const Problems& after) {
  const Imports imports = server_.command.imports;
  if (const std::string missing = missing_of_configurations(); !missing.empty())
    return found_.doubt<doubts::configuration>(missing);
  if (imports != Imports::script && imports != Imports::python) return;
  std::set<std::string> paths;
  for (const ChangedFile& file : server_.files)
    if (file.after) paths.insert(file.last_path());
  std::set<std::string> others;  // that have not been asked about
  for (const std::string& path : project_.files.imported_by(
           imports, paths, [&](const std::string& name) { return draft_.drafted(name); })) {
    if (others.size() >= server_.command.kind->most_dependents) break;
    if (!after.contains(draft_.full(path))) others.insert(path);
    paths.insert(path);
  }
  Problems known;
  if (!others.empty()) {
    auto looked = server_.before(others);
    if (!looked) return found_.doubt<doubts::failed>(looked.error().message);
    known = *std::move(looked);
  }
  std::set<std::string> told;  // packages
  for (const std::string& path : paths) {
    const auto drafted_problems = after.find(draft_.full(path));
    const auto& problems =
        drafted_problems == after.end() ? known[draft_.full(path)] : drafted_problems->second;
    const auto changed = std::ranges::find_if(server_.files, [&](const ChangedFile& file) {
      return file.after && file.last_path() == path;
    });
    const bool is_changed = changed != server_.files.end();
    for (const Diagnostic& problem : problems.list) {
      if (!is_unresolved(imports, problem) || is_plain_script(path)) continue;
      const Text text =
          is_changed ? *changed->after : Text(draft_.text_of_project(path).value_or(std::string()));
      std::span<const Replacement> edits;
      if (is_changed) edits = changed->edits;
      if (!does_without(imports, text, edits, problem))
        return found_.doubt<doubts::not_installed>(
            path, problem.message.substr(0, problem.message.find('\n')));
      const std::string package = package_in(imports, problem.message);
      if (!package.empty() && told.insert(package).second)
        found_.add({path, problem.lines.begin + 1, Severity::information, "",
                    package + " is not installed here: what uses it was not checked",
                    server_.command.name});
    }
  }
}

}  // namespace bodkin
