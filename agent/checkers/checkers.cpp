// More than 350 lines: what each kind of file needs, and what is said of what was found, in the
// order in which a check goes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/check.h"
#include "agent/checkers/file_kinds.h"
#include "agent/checkers/linters.h"
#include "agent/checkers/quick_checks.h"
#include "agent/checkers/server_choice.h"
#include "agent/checkers/server_view.h"
#include "agent/context/diagnostics.h"
#include "agent/support/process_memory.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "grammars/certain_errors.h"
#include "grammars/languages.h"
#include "grammars/same_code.h"
#include "grammars/syntax_tree.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxProjects = 4;                       // whose servers stay warm
constexpr auto kIdleProject = std::chrono::minutes(10);  // after which a project's servers end
constexpr size_t kMaxReported = 500;                     // problems of one check
constexpr uint64_t kLeastMemory = uint64_t{2} << 30;     // that a server may use on any machine

bool is_missing_header(const Diagnostic& problem) {
  return problem.code.starts_with("pp_file_not_found") ||
         problem.code.starts_with("cannot_open_file");
}

// What a server reports if it could not read all of a file: nothing is known of the rest.
bool is_incomplete(const Diagnostic& problem) {
  const auto says = [&](std::string_view words) { return problem.message.contains(words); };
  // Of the errors in an included file, only the first is reported.
  if (problem.message.starts_with("In included file:")) return true;
  if (problem.source == "clang") {
    // What the preprocessor refuses is left out, whatever is in it.
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

// What is wrong in JavaScript, too, of what TypeScript says with `checkJs`: the syntax, and names
// that nothing declares or that are declared or set although they are constant.
bool is_certain_in_script(const Diagnostic& problem) {
  const bool is_syntax = problem.code.size() == 4 && problem.code[0] == '1';
  static constexpr std::string_view kCodes[] = {"2304", "2552", "2588", "2451"};
  return is_syntax || std::ranges::find(kCodes, problem.code) != std::end(kCodes);
}

// A server would see the file under another name.
bool leads_elsewhere(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return !error && real != path;
}

}  // namespace

// Of a language that the syntax decides about, or of one without a server, where it does not make
// the file clean, but shows that it is wrong. Returns whether it could be checked.
bool Checkers::Check::check_syntax_of(const ChangedFile& file, bool decides) {
  const auto syntax = make_syntax();
  const Text before = file.before.value_or(Text());
  const auto lines = certain_errors(*syntax, final_path(file), before, *file.after);
  if (!lines) return false;
  if ((decides || !lines->empty()) && std::ranges::find(result_.by, kBySyntax) == result_.by.end())
    result_.by.emplace_back(kBySyntax);
  for (const size_t line : *lines) {
    ++new_errors_;
    result_.added.push_back(
        {final_path(file), line + 1, Severity::error, "", "syntax error", kBySyntax});
  }
  return true;
}

// By the language's own program, whose word counts where bodkin's grammar does not know the text
// either: one of the two may be older than the language, or not know the options of a shell.
// shellcheck, which bash-language-server asks, accepts what the shell does not.
void Checkers::Check::check_quickly(const ChangedFile& file, bool has_server) {
  const std::string path = final_path(file);
  const Language* language = file.after ? language_of(path, file.after->line(0)) : nullptr;
  if (!language || request_.purpose != CheckRequest::Purpose::compare ||
      is_dialect(*language, path, *file.after))
    return;
  const auto read = [&](const Text& text) {
    return quick_check(*language, path, text, project_.root, task_.stop);
  };
  const auto after = read(*file.after);
  if (!after && !has_server) check_syntax_of(file, false);
  if (!after) return;
  if (after->is_right) {
    if (!has_server && std::ranges::find(result_.by, kBySyntax) == result_.by.end())
      result_.by.emplace_back(kBySyntax);
    return;
  }
  const auto before = file.before ? read(*file.before) : std::nullopt;
  if (before && !before->is_right && before->message == after->message) return;
  const auto unknown = make_syntax()->new_errors(path, file.before.value_or(Text()), *file.after);
  if (!after->is_certain && unknown && unknown->empty())
    return not_checked(fmt::format("{} does not know line {} of {}: {}", after->by, after->line,
                                   path, after->message));
  ++new_errors_;
  result_.added.push_back({path, after->line, Severity::error, "", after->message, after->by});
  if (std::ranges::find(result_.by, after->by) == result_.by.end()) result_.by.push_back(after->by);
}

void Checkers::Check::check_data(const ChangedFile& file) {
  const Language* language = language_of(final_path(file));
  if (!file.after || !language || check_syntax_of(file, true)) return;
  if (language->id == "markdown") return;  // prose
  const auto unknown =
      make_syntax()->new_errors(final_path(file), file.before.value_or(Text()), *file.after);
  if (unknown && !unknown->empty())
    return not_checked(fmt::format("bodkin's grammar does not know the syntax of {}, line {}",
                                   final_path(file), unknown->front() + 1));
  not_checked(fmt::format("the syntax of {} could not be checked", final_path(file)));
}

CheckedProblem Checkers::Check::shown(const Diagnostic& problem, const FileProblems& file,
                                      const std::string& path) const {
  CheckedProblem result{relative(path), problem.lines.begin + 1, problem.severity,
                        problem.code,   problem.message,         problem.source};
  for (size_t i = 0; i < file.list.size(); ++i) {
    if (file.list[i].begin_byte != problem.begin_byte || file.list[i].message != problem.message)
      continue;
    if (const auto place = file.elsewhere.find(i); place != file.elsewhere.end()) {
      result.path = relative(place->second.path);
      result.line = place->second.line + 1;
    }
    break;
  }
  return result;
}

// Whether the server did not find a header that is there, and hidden from it.
bool Checkers::Check::misses_header(const Group& group, const FileProblems& problems,
                                    const std::string& path) const {
  const ServerView view(group.command, project_.root, project_.files, project_.commands);
  return std::ranges::any_of(problems.list, [&](const Diagnostic& problem) {
    const size_t begin = problem.message.find('\'');
    const size_t end = problem.message.find('\'', begin + 1);
    return is_missing_header(problem) && end != std::string::npos &&
           view.hides_header(shown(problem, problems, path).path,
                             problem.message.substr(begin + 1, end - begin - 1));
  });
}

// JavaScript that nobody has asked to be checked like TypeScript. `path`: relative.
bool Checkers::Check::is_plain_script(const std::string& path) const {
  const Language* language = language_of(path);
  if (!language || !language->id.starts_with("javascript")) return false;
  const auto draft = drafted(path);
  const auto text = draft ? draft : disk_text(full(path));
  if (text && text->str().contains("@ts-check")) return false;
  return std::ranges::none_of(project_.files.script_projects(), [&](const std::string& project) {
    const auto settings = text_now(project);
    return settings && settings->str().contains("checkJs");
  });
}

// What tells clangd where the headers are, and which language the files are in; else "".
std::string Checkers::Check::database_hint(const Group& group) const {
  if (group.command.imports != Imports::include || project_.commands.are_known()) return "";
  const std::string command = command_for_database(project_.root);
  return command.empty() ? "" : "; it needs a compile_commands.json: " + command;
}

// Decides: whether a checked file is clean.
void Checkers::Check::compare_files(const Group& group, const Problems& before,
                                    const Problems& after) {
  static const FileProblems kNone;
  const auto of = [](const Problems& problems, const std::string& path) -> const FileProblems& {
    const auto found = problems.find(path);
    return found == problems.end() ? kNone : found->second;
  };
  std::set<std::string> paths;
  for (const auto& [path, problems] : after) paths.insert(path);
  for (const auto& [path, problems] : before) paths.insert(path);
  for (const std::string& path : paths) {
    const ChangedFile* file = nullptr;
    bool is_gone = false;
    for (const ChangedFile& changed : group.files) {
      if (full(final_path(changed)) == path) file = &changed;
      if (full(changed.path) == path && (!changed.after || changed.rename_to)) is_gone = true;
    }
    if (is_gone && !file) continue;
    const std::string old_path = file ? full(file->path) : path;
    std::span<const Replacement> edits;
    if (file) edits = file->edits;
    FileProblems old_problems = of(before, old_path), new_problems = of(after, path);
    if (group.command.imports == Imports::script && is_plain_script(relative(path))) {
      for (FileProblems* problems : {&old_problems, &new_problems})
        std::erase_if(problems->list,
                      [](const Diagnostic& problem) { return !is_certain_in_script(problem); });
      if (file)
        not_checked(
            fmt::format("{} is plain JavaScript, of which only the syntax and the names "
                        "were checked",
                        relative(path)));
    }
    const DiagnosticsChange change = compare(old_problems.list, new_problems.list, edits);
    const size_t errors_before = new_errors_;
    // An option that only the project's compiler knows: clang leaves it out and reads all.
    const auto is_ignored_option = [](const Diagnostic& problem) {
      return problem.code.starts_with("drv_unknown_argument");
    };
    std::optional<bool> left_out;
    const bool is_missed =
        misses_header(group, new_problems, path) || is_misread(new_problems.list);
    for (const Diagnostic& problem : change.added) {
      CheckedProblem one = shown(problem, new_problems, path);
      if (!file && problem.severity == Severity::error) {
        if (!left_out) left_out = is_left_out(group, relative(path));
        if (*left_out) one.severity = Severity::warning;
      }
      if (is_missing_package(group.command.imports, problem, old_problems.list)) {
        one.severity = Severity::warning;
        not_checked(fmt::format("{} needs what is not installed here: {}", one.path,
                                problem.message.substr(0, problem.message.find('\n'))));
      }
      if (is_missed && one.severity == Severity::error) one.severity = Severity::warning;
      if (!reported_.insert({one.path, one.line, one.message}).second) continue;
      if (one.severity == Severity::error) ++new_errors_;
      if (result_.added.size() < kMaxReported) result_.added.push_back(one);
    }
    for (const Diagnostic& problem : change.fixed)
      if (result_.fixed.size() < kMaxReported)
        result_.fixed.push_back(shown(problem, old_problems, old_path));
    for (const Diagnostic& problem : change.remaining)
      if (problem.severity == Severity::error) ++result_.remaining;
    const bool is_worse = new_errors_ > errors_before;
    for (const Diagnostic& problem : new_problems.list) {
      const bool is_old_option = is_ignored_option(problem) &&
                                 std::ranges::any_of(old_problems.list, [&](const auto& old) {
                                   return is_ignored_option(old) && old.message == problem.message;
                                 });
      if (is_incomplete(problem) && !is_worse && !is_old_option) {
        not_checked(fmt::format("{} cannot read all of {}: {}{}", group.command.name,
                                relative(path), problem.message, database_hint(group)));
      }
    }
  }
}

// What others have done to the project since the last check.
void Checkers::Check::reread_disk() {
  const bool has_new_commands = project_.commands.refresh(project_.root);
  const auto changes =
      project_.files.refresh(project_.commands.files(), request_.around, task_.stop);
  if (changes.empty() && !has_new_commands && !project_.files.has_new_private()) return;
  std::vector<LanguageServer::DiskChange> list;
  for (const SourceFiles::Change& change : changes)
    list.push_back({full(change.path), change.type});
  project_.rust_base.reset();
  project_.has_built_go = false;
  for (auto& [name, server] : project_.servers) {
    server.base.clear();
    if (server.process && project_.files.has_new_private()) server.process->stop();
    if (server.process) server.process->disk_changed(list);
  }
}

CheckResult Checkers::Check::run() {
  reread_disk();
  std::future<std::vector<CheckedProblem>> findings;  // a linter takes as long as a server
  if (request_.purpose == CheckRequest::Purpose::compare)
    findings = std::async(is_thrifty() ? std::launch::deferred : std::launch::async, [&] {
      return linted(request_.files, project_.root, settings_.trusted && request_.may_run_folder,
                    task_.stop);
    });
  std::map<std::string, Group> groups;  // by key
  Group rust;
  for (const ChangedFile& file : request_.files) {
    const std::string path = final_path(file);
    const Text& text = file.after ? *file.after : *file.before;
    const Language* language = language_of(path, text.line(0));
    if (configures_checks(path) || configures_checks(file.path)) {
      not_checked(fmt::format("{} configures how the project is checked", file.path));
      continue;
    }
    if (file.before && leads_elsewhere(full(file.path))) {
      not_checked(fmt::format("{} is a link", file.path));
      continue;
    }
    const std::string own_language = language_by_settings(path, settings_.servers);
    const bool has_own_server =
        !own_language.empty() || (language && !at(settings_.servers, language->id).is_null());
    if (!has_own_server && is_data(language, path)) {
      std::string user = project_.files.user_of_data(file);
      if (user.empty() && project_.commands.reads_options_of(file_name(path)))
        user = "the compilation database";
      if (!user.empty())
        not_checked(fmt::format("{} uses {}, which no server looks at", user, path));
      check_data(file);
      continue;
    }
    if (language && request_.purpose == CheckRequest::Purpose::compare && file.before &&
        file.after && !file.rename_to && is_same_code(path, *file.before, *file.after)) {
      if (std::ranges::find(result_.by, kByTokens) == result_.by.end())
        result_.by.emplace_back(kByTokens);
      continue;
    }
    if (!language && !has_own_server) {
      not_checked(
          fmt::format("no checker is known for {}; bodkin.verify.servers can name one", path));
      continue;
    }
    const std::string id = own_language.empty() ? std::string(language->id) : own_language;
    if (id == "rust" && at(settings_.servers, "rust").is_null() &&
        at(settings_.servers, "*").is_null()) {
      rust.command.name = "cargo check";
      rust.command.knows_imports = true;
      rust.files.push_back(file);
      continue;
    }
    auto command = choose_server(id, settings_.servers, project_.root, settings_.trusted,
                                 request_.may_run_folder);
    if (!command) {
      // At length once for a project.
      const bool is_new = request_.purpose != CheckRequest::Purpose::compare ||
                          project_.told.insert(command.error().message).second;
      not_checked(is_new ? command.error().message
                         : fmt::format("no checker is ready for {}; bodkin check says why",
                                       language ? language->name : id));
      check_quickly(file, false);
      continue;
    }
    if (!request_.servers.empty() && !request_.servers.contains(command->name)) {
      not_checked(fmt::format("{} is excluded by --server", command->name));
      continue;
    }
    // What the build says counts, not what the folder tells an editor to leave out.
    if (command->kind->name == "clangd" && project_.commands.are_known())
      command->arguments.emplace_back("--enable-config=false");
    // Its name may be that of a program that starts any server.
    const std::string key =
        fmt::format("{} {} {} {}", fmt::join(command->arguments, " "),
                    static_cast<int>(command->imports), command->settings.dump(), own_language);
    Group& group = groups[key];
    group.key = key;
    group.command = *std::move(command);
    group.command.timeout = settings_.timeout;
    group.command.sandbox = places_of_server(group.command, project_.root);
    group.command.sandbox.readable.insert(group.command.sandbox.readable.end(),
                                          settings_.readable.begin(), settings_.readable.end());
    group.files.push_back(file);
  }
  // Where its server cannot say anything, the syntax still can.
  const auto check_one = [&](Group& group, const auto& check) {
    if (task_.stop.stop_requested() || group.files.empty()) return;
    const size_t count = result_.by.size(), errors = new_errors_;
    (this->*check)(group);
    if (result_.by.size() > count || new_errors_ > errors) return;
    for (const ChangedFile& file : group.files) check_quickly(file, false);
  };
  for (auto& [name, group] : groups) check_one(group, &Check::check_group);
  check_one(rust, &Check::check_rust);
  for (CheckedProblem& finding : findings.valid() ? findings.get() : std::vector<CheckedProblem>())
    result_.added.push_back(std::move(finding));
  if (task_.stop.stop_requested()) not_checked("cancelled");
  using State = CheckResult::State;
  result_.state = new_errors_ > 0           ? State::problems
                  : !result_.reason.empty() ? State::not_checked
                                            : State::clean;
  return std::move(result_);
}

Checkers::Checkers(CheckerSettings settings) : settings_(std::move(settings)) {}
Checkers::~Checkers() = default;

std::vector<Checkers::ServerUse> Checkers::servers() const {
  std::vector<ServerUse> list;
  for (const auto& [root, project] : projects_)
    for (const auto& [key, server] : project->servers)
      if (server.process && server.process->is_running())
        list.push_back({server.process->name(), root, server.process->use()});
  return list;
}

void Checkers::end_unneeded() {
  const uint64_t bytes = std::max(machine_memory() / 4, kLeastMemory);
  for (auto& [root, project] : projects_) {
    const bool is_idle = project->used_at + kIdleProject < std::chrono::steady_clock::now();
    for (auto& [name, server] : project->servers)
      if (server.process && (is_idle || server.process->use().memory > bytes))
        server.process->stop();
  }
}

CheckResult Checkers::check(const CheckRequest& request, const Task& task) {
  auto& project = projects_[request.root];
  if (!project) project = std::make_unique<Project>(request.root);
  project->used = ++count_;
  project->used_at = std::chrono::steady_clock::now();
  if (projects_.size() > kMaxProjects) {
    projects_.erase(std::ranges::min_element(projects_, {},
                                             [](const auto& item) { return item.second->used; }));
  }
  return Check(settings_, *project, request, task).run();
}

}  // namespace bodkin
