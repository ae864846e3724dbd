// Decides what the problems that a server reports prove.
#include "agent/checkers/server_checker.h"

#include <algorithm>

#include "agent/checkers/server_view.h"
#include "agent/checkers/syntax_check.h"
#include "grammars/conditional_code.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

constexpr size_t kMostTried = 200;  // statements: a checker may report only so many errors

bool is_missing_header(const Diagnostic& problem) {
  return problem.code.starts_with("pp_file_not_found") ||
         problem.code.starts_with("cannot_open_file");
}

// Whether the problem says that the server could not read the whole file, so that nothing is known
// of the rest.
bool is_incomplete(const Diagnostic& problem) {
  const auto says = [&](std::string_view words) { return problem.message.contains(words); };
  // clangd reports only the first error of an included file.
  if (problem.message.starts_with("In included file:")) return true;
  if (problem.source == "clang") {
    // The preprocessor skips what it refuses, whatever is in it.
    return is_missing_header(problem) ||
           (problem.code.starts_with("pp_") && problem.severity == Severity::error) ||
           problem.code.starts_with("drv_") || problem.code.starts_with("err_drv") ||
           problem.code == "fatal_too_many_errors";
  }
  // shellcheck does not know the shell, or does not read past a syntax error.
  for (const std::string_view code : {"1071", "1072", "1073"})
    if (problem.source == "shellcheck" && problem.code.ends_with(code)) return true;
  // gopls: the file is in no package, or for another system.
  return problem.source == "go list" || says("No packages found for open file") ||
         says("excluded by its build tags") || says("due to its build tags");
}

// True if clang left out an option whose value it does not know. Then it has read another language:
// `-std=c++23` as C++17.
bool is_misread(const std::vector<Diagnostic>& problems) {
  return std::ranges::any_of(problems, [](const Diagnostic& problem) {
    return problem.code.starts_with("drv_invalid") || problem.code.starts_with("err_drv_invalid");
  });
}

}  // namespace

CheckedProblem ServerChecker::shown(const Diagnostic& problem, const FileProblems& file,
                                    const std::string& path) const {
  CheckedProblem result{draft_.relative(path), problem.lines.begin + 1, problem.severity,
                        problem.code,          problem.message,         problem.source};
  for (size_t i = 0; i < file.list.size(); ++i) {
    if (file.list[i].begin_byte != problem.begin_byte || file.list[i].message != problem.message)
      continue;
    if (const auto place = file.elsewhere.find(i); place != file.elsewhere.end()) {
      result.path = draft_.relative(place->second.path);
      result.line = place->second.line + 1;
    }
    break;
  }
  return result;
}

// Whether the server did not find a header that is there, and hidden from it.
bool ServerChecker::misses_header(const FileProblems& problems, const std::string& path) const {
  const ServerView view(server_.command, project_.root, project_.files, project_.commands);
  return std::ranges::any_of(problems.list, [&](const Diagnostic& problem) {
    const size_t begin = problem.message.find('\'');
    const size_t end = problem.message.find('\'', begin + 1);
    return is_missing_header(problem) && end != std::string::npos &&
           view.hides_header(shown(problem, problems, path).path,
                             problem.message.substr(begin + 1, end - begin - 1));
  });
}

// Whether something is hidden from the server, which then sees another program than the one that
// is built.
bool ServerChecker::misses_hidden(const std::set<std::string>& asked) const {
  std::map<std::string, std::string> configurations;
  for (const std::string& path : projects())
    if (auto text = draft_.text_of_project(path)) configurations[path] = *std::move(text);
  return ServerView(server_.command, project_.root, project_.files, project_.commands)
      .misses(
          asked, [&](const std::string& path) { return draft_.drafted(path); }, configurations);
}

// The command that writes the compilation database that clangd needs here, as the end of a
// sentence;
// "": there is a database, or it is not known how to write one.
std::string ServerChecker::database_hint() const {
  if (server_.command.imports != Imports::include || project_.commands.are_known()) return "";
  const std::string command = command_for_database(project_.root);
  return command.empty() ? "" : "; it needs a compile_commands.json: " + command;
}

// A header is missing: an error since C99 (see LanguageServer::read), which clang up to 15 words as
// for C89, where it is not one. `view`: what the compiler is told about the file.
static bool lacks_declaration(const Diagnostic& problem, std::string_view view) {
  static constexpr std::string_view kOld[] = {
      "-ansi",      "-std=c89",          "-std=c90",           "-std=gnu89",
      "-std=gnu90", "-std=iso9899:1990", "-std=iso9899:199409"};
  return problem.message.starts_with("Implicitly declaring library function") &&
         std::ranges::none_of(kOld, [&](std::string_view old) { return view.contains(old); });
}

// An option that only the project's compiler knows: clang leaves it out and reads all.
static bool is_ignored_option(const Diagnostic& problem) {
  return problem.code.starts_with("drv_unknown_argument");
}

void ServerChecker::compare_files(const Problems& before, const Problems& after) {
  const auto of = [](const Problems& problems, const std::string& path) {
    const auto found = problems.find(path);
    return found == problems.end() ? FileProblems() : found->second;
  };
  std::set<std::string> paths;
  for (const auto& [path, problems] : after) paths.insert(path);
  for (const auto& [path, problems] : before) paths.insert(path);
  for (const std::string& path : paths) {
    const ChangedFile* file = nullptr;
    bool is_gone = false;
    for (const ChangedFile& changed : server_.files) {
      if (draft_.full(changed.last_path()) == path) file = &changed;
      if (draft_.full(changed.path) == path && (!changed.after || changed.rename_to))
        is_gone = true;
    }
    if (is_gone && !file) continue;
    compare_file({path, file ? draft_.full(file->path) : path, file},
                 of(before, file ? draft_.full(file->path) : path), of(after, path));
  }
}

// Decides: whether a checked file is clean.
void ServerChecker::compare_file(Compared compared, FileProblems before, FileProblems after) {
  const std::string &path = compared.path, &old_path = compared.old_path;
  const ChangedFile* const file = compared.file;
  if (server_.command.imports == Imports::script) leave_certain(compared, before, after);
  const DiagnosticsChange change = bodkin::compare(before.list, after.list, compared.edits());
  const size_t errors_before = found_.errors();
  compared.is_left_out = !file &&
                         std::ranges::find(change.added, Severity::error, &Diagnostic::severity) !=
                             change.added.end() &&
                         is_left_out(draft_.relative(path));
  const bool is_missed = misses_header(after, path) || is_misread(after.list);
  for (const Diagnostic& problem : change.added) {
    CheckedProblem one = shown(problem, after, path);
    weigh(problem, compared, before, one);
    if (is_missed && one.severity == Severity::error) one.severity = Severity::warning;
    found_.add_new(std::move(one));
  }
  for (const Diagnostic& problem : change.fixed) found_.add_fixed(shown(problem, before, old_path));
  for (const Diagnostic& problem : change.remaining)
    if (problem.severity == Severity::error) ++found_.result().remaining;
  const bool is_worse = found_.errors() > errors_before;
  for (const Diagnostic& problem : after.list) {
    const bool is_old_option =
        is_ignored_option(problem) && std::ranges::any_of(before.list, [&](const auto& old) {
          return is_ignored_option(old) && old.message == problem.message;
        });
    if (is_incomplete(problem) && !is_worse && !is_old_option) {
      found_.doubt<doubts::unreadable>(server_.command.name, draft_.relative(path), problem.message,
                                       database_hint());
    }
  }
}

// Leaves only the problems that are certain in a script that no project includes.
void ServerChecker::leave_certain(const Compared& compared, FileProblems& before,
                                  FileProblems& after) {
  const ChangedFile* const file = compared.file;
  const std::string name = draft_.relative(compared.path);
  const bool is_script = is_plain_script(name);
  if (is_script || (file && is_left_out(name))) {
    const auto added = bodkin::compare(before.list, after.list, compared.edits()).added;
    const auto guess =
        std::ranges::find_if(added, [&](const Diagnostic& one) { return is_guess(one, name); });
    if (guess != added.end() && is_script)
      found_.doubt<doubts::plain_javascript>(name, ": ", guess->message);
    if (guess != added.end()) found_.doubt<doubts::no_project>(name, ": ", guess->message);
    for (FileProblems* problems : {&before, &after})
      std::erase_if(problems->list,
                    [&](const Diagnostic& one) { return !is_certain_outside(one, name); });
  }
  // TypeScript reports only syntax errors in JavaScript files unless the project sets checkJs.
  if (file && is_script && is_in_script_project(name))
    found_.doubt<doubts::plain_javascript>(name, "", "");
}

// Sets a new problem's severity: no error if it may be old, or depends on this machine.
void ServerChecker::weigh(const Diagnostic& problem, const Compared& compared,
                          const FileProblems& before, CheckedProblem& one) {
  const bool removes = std::ranges::any_of(
      request_.files, [](const ChangedFile& file) { return !file.after || file.rename_to; });
  if (lacks_declaration(problem, project_.commands.view_of(compared.path)))
    one.severity = Severity::error;
  if (compared.is_left_out && problem.severity == Severity::error) one.severity = Severity::warning;
  if (is_missing_package(server_.command.imports, problem, before.list)) {
    one.severity = Severity::warning;
    found_.doubt<doubts::not_installed>(one.path,
                                        problem.message.substr(0, problem.message.find('\n')));
  }
  // If nothing that others import is removed, it was missing before.
  if (!compared.file && !removes && is_unresolved(server_.command.imports, problem))
    one.severity = Severity::warning;
  if (is_of_newer_python(problem)) {
    one.severity = Severity::warning;
    found_.doubt<doubts::newer_python>(one.line, one.path, problem.message);
  }
}

void ServerChecker::report() {
  std::set<std::string> paths;
  for (const ChangedFile& file : server_.files) paths.insert(file.path);
  if (misses_hidden(paths))
    return found_.doubt<doubts::hidden_file>(server_.files[0].path, server_.command.name);
  auto problems = server_.before(paths);
  if (!problems) return found_.doubt<doubts::failed>(problems.error().message);
  for (const std::string& path : paths) {
    if (misses_header((*problems)[draft_.full(path)], draft_.full(path)))
      return found_.doubt<doubts::hidden_file>(path, server_.command.name);
  }
  for (const ChangedFile& file : server_.files)
    found_.result().now[file.path] = std::move((*problems)[draft_.full(file.path)].list);
  found_.judged_by(server_.command.name);
}

// Starts the server, and shows it the files.
void ServerChecker::warm_up() {
  std::set<std::string> paths;
  for (const ChangedFile& file : server_.files) paths.insert(file.path);
  (void)server_.before(paths);
}

bool ServerChecker::is_changed(const std::string& path) const {
  return std::ranges::any_of(server_.files, [&](const ChangedFile& file) {
    return file.path == path || file.last_path() == path;
  });
}

bool ServerChecker::look(const std::set<std::string>& asked) {
  const auto looked = server_.both(asked);
  if (!looked) {
    found_.doubt<doubts::failed>(looked.error().message);
    return false;
  }
  compare_files(looked->before, looked->after);
  if (server_.command.kind->name == "bash-language-server")
    for (const ChangedFile& file : server_.files)
      check_quickly(file, request_, true, task_.stop, found_);
  if (server_.command.imports == Imports::script) check_modules();
  if (found_.errors() == 0) check_environment(looked->after);
  if (found_.errors() == 0) doubt_unknown_members();
  return true;
}

void ServerChecker::compare() {
  const std::set<std::string> asked = files_to_ask();
  if (misses_hidden(asked))
    return found_.doubt<doubts::hidden_file>(server_.files[0].path, server_.command.name);
  auto& by = found_.result().by;
  const auto place = static_cast<ptrdiff_t>(by.size());  // before the compilers
  if (!look(asked)) return;
  if (is_asked_) by.insert(by.begin() + place, server_.command.name);
  doubt_scope(asked);
  if (found_.errors() == 0 && found_.result().reason.empty()) doubt_silence(asked);
}

std::set<std::string> ServerChecker::files_to_try(const std::set<std::string>&) const {
  std::set<std::string> result;
  if (server_.command.imports == Imports::go || server_.command.imports == Imports::none)
    return result;
  for (const ChangedFile& file : server_.files)
    if (file.after) result.insert(file.last_path());
  return result;
}

void ServerChecker::doubt_silence(const std::set<std::string>& asked) {
  const AskedServer& server = asked_server();
  if (!server.was_asked() || server.command.kind->name.empty()) return;
  for (const std::string& path : files_to_try(asked)) {
    const auto text = draft_.text_then(path);
    if (!text) continue;
    const auto changed = std::ranges::find(server.files, path, &ChangedFile::last_path);
    std::vector<size_t> places;
    if (server.command.imports == Imports::python && changed != server.files.end())
      places = changed_statements(*changed, kMostTried);
    const auto missing =
        server.unreported(trial_of(server.command.imports, *text, places), path, {path});
    if (!missing) return found_.doubt<doubts::failed>(missing.error().message);
    if (*missing == 0u) return found_.doubt<doubts::silent>(server.command.name, path);
    if (*missing)
      return found_.doubt<doubts::unreached>(server.command.name, places[**missing - 1] + 1, path);
  }
}

void ServerChecker::doubt_scope(const std::set<std::string>&) {
  const std::string& first = server_.files[0].path;
  const ServerCommand& command = server_.command;
  if (command.kind->name.empty() && !command.is_complete)
    return found_.doubt<doubts::incomplete_server>(command.name);
  if (!command.knows_imports) return found_.doubt<doubts::unknown_users>(first);
  if (!project_.files.is_complete()) return found_.doubt<doubts::unread_users>(first);
  if (const std::string shared = file_of_projects(); !shared.empty())
    return found_.doubt<doubts::several_projects>(shared, command.name);
  if (const std::string removed = removed_but_named(); !removed.empty())
    return found_.doubt<doubts::removed_but_named>(removed);
  if (is_partial_) found_.doubt<doubts::many_users>(first, command.kind->most_dependents);
}

std::unique_ptr<Checker> server_checker(Check& check, std::string key, ServerCommand command,
                                        std::vector<ChangedFile> files) {
  return std::make_unique<ServerChecker>(check, std::move(key), std::move(command),
                                         std::move(files));
}

}  // namespace bodkin
