// If gcc compiles the project, its word counts: clangd is another compiler, which warns of other
// things and has other errors. gcc runs in the sandbox, on the view of the draft.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/ask/output_problems.h"
#include "agent/checkers/plain_edits.h"
#include "agent/checkers/trial.h"
#include "agent/checkers/unit_checker.h"
#include "agent/platform/processes.h"
#include "agent/support/program.h"
#include "edits/text/line_keys.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kCompilerLimit = 90s;
constexpr size_t kMaxListed = 200;            // errors of gcc
constexpr std::string_view kMark = "@unit ";  // before a unit's output

// Errors of clang that every compiler has, if there are no others.
bool is_certain_error(const std::string& code) {
  for (const std::string_view known :
       {"undeclared_var_use", "undeclared_var_use_suggest", "no_member", "no_member_suggest",
        "unknown_typename", "unknown_typename_suggest", "ovl_no_viable_function_in_call",
        "ovl_no_viable_member_function_in_call", "ovl_no_viable_function_in_init",
        "init_conversion_failed", "typecheck_call_too_few_args", "typecheck_call_too_many_args",
        "typecheck_convert_incompatible", "typecheck_invalid_operands", "pp_file_not_found"})
    if (code == known) return true;
  return false;
}

// Whether only gcc before 14 accepts calls of functions that nothing declares.
bool is_modern_c(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const auto& word) { return word.ends_with(".c"); }) &&
         std::ranges::none_of(words, [](const std::string& word) {
           return word == "-ansi" || word.starts_with("-x") || word.ends_with("89") ||
                  word.ends_with("90") || word.ends_with("++");
         });
}

// A shell's test that the command refuses a wrong text in place of its file: one that does not
// (`gcc --version`, `gcc -E`) accepts everything. The file is in `folder`, a shell's word.
std::string test_of(const CompileCommands::Command& command, const std::string& folder) {
  if (command.unit.empty()) return "false";
  const std::string file = folder + "/" + shell_quoted(last_part(command.unit));
  std::string test =
      fmt::format("mkdir {0} && echo 'int bodkin_test = {1};' >{2} && ! (cd {3} && exec", folder,
                  kUnknownName, file, shell_quoted(command.folder));
  for (const std::string& word : command.words)
    test += " " + (word == command.unit ? file : shell_quoted(word));
  return test +
         fmt::format(" -fsyntax-only -Wfatal-errors) >/dev/null 2>{0}/said && grep -q {1} {0}/said",
                     folder, kUnknownName);
}

}  // namespace

std::vector<CheckedProblem> new_errors_in(std::string_view before, std::string_view after) {
  const auto unnumbered = [](std::string text) {
    std::erase_if(text, is_digit);
    return text;
  };
  std::multiset<std::string> known;
  for (const CheckedProblem& problem : problems_in(before))
    if (problem.severity == Severity::error) known.insert(unnumbered(problem.message));
  std::vector<CheckedProblem> errors;
  for (CheckedProblem& problem : problems_in(after)) {
    if (problem.severity != Severity::error) continue;
    const auto same = known.find(unnumbered(problem.message));
    if (same == known.end())
      errors.push_back(std::move(problem));
    else
      known.erase(same);
  }
  return errors;
}

bool UnitChecker::may_fail_late(const std::set<std::string>& units) const {
  const auto of_draft = [&](const std::string& path) { return draft_.drafted(path); };
  if (std::ranges::any_of(request_.files, needs_generated_code)) return true;
  const bool calls = std::ranges::any_of(request_.files, [](const ChangedFile& file) {
    return file.after && calls_fortified(file.after->str());
  });
  if (calls && std::ranges::any_of(units, [&](const std::string& path) {
        return project_.commands.view_of(draft_.full(path)).contains(" -D_FORTIFY_SOURCE=");
      }))
    return true;
  return project_.files.forbid_calls(units, of_draft);
}

// Two at a time. In the order of the commands.
Result<std::vector<UnitChecker::Compiled>> UnitChecker::compile(
    const std::vector<CompileCommands::Command>& commands, bool with_draft,
    const std::stop_token& stop) const {
  std::string script = "out=$(mktemp -d)\n";
  if (!request_.may_run_folder)
    script += "export " + shell_quoted(search_path({project_.root})) + "\n";
  for (const size_t worker : {0, 1}) {
    script += "(:\n";
    for (size_t i = worker; i < commands.size(); i += 2) {
      script += "(cd " + shell_quoted(commands[i].folder) + " && exec";
      for (const std::string& word : commands[i].words) script += " " + shell_quoted(word);
      if (is_modern_c(commands[i].words)) script += " -Werror=implicit-function-declaration";
      // Some warnings, and some errors, are found only when code is generated.
      script += commands[i].is_strict || is_late_ ? " -c -o /dev/null" : " -fsyntax-only";
      script += fmt::format(") >\"$out/{0}\" 2>&1; echo $? >\"$out/{0}.code\"\n", i);
      if (with_draft)
        script += fmt::format(
            "if [ \"$(cat \"$out/{0}.code\")\" = 0 ] && {1}; then echo refuses "
            ">>\"$out/{0}.code\"; fi\n",
            i, test_of(commands[i], fmt::format("\"$out/{}.test\"", i)));
    }
    script += ") &\n";
  }
  script += "wait\n";
  for (size_t i = 0; i < commands.size(); ++i)
    script += fmt::format("echo {1}$(cat \"$out/{0}.code\"); head -c 100000 \"$out/{0}\"; echo\n",
                          i, kMark);
  SandboxRun run;
  run.command = {"sh", "-c", std::move(script)};
  run.name = "gcc";
  run.folders = {draft_.view(with_draft)};
  run.folders[0].hides_git = true;
  run.settings.readable = settings_.readable;
  run.settings.oldest_search = kOldSearch;
  run.timeout = kCompilerLimit;
  const auto outcome = run_in_sandbox(run, stop);
  if (!outcome) return std::unexpected(outcome.error());
  if (!outcome->ended.empty()) return fail(Error::Code::unavailable, "gcc: " + outcome->ended);
  std::vector<Compiled> result;
  for (const std::string& line : words_of_list(outcome->output, '\n')) {
    if (line.starts_with(kMark)) {
      result.push_back({.is_right = line.starts_with(fmt::format("{}0", kMark)),
                        .refuses_wrong = line.ends_with(" refuses")});
    } else if (!result.empty()) {
      result.back().output += line + "\n";
    }
  }
  if (result.size() != commands.size())
    return fail(Error::Code::unavailable, "gcc could not be run in the sandbox");
  return result;
}

// Whether what clangd has found since then need not be confirmed.
bool UnitChecker::is_certain(const Findings::Mark& before) const {
  bool has_error = false;
  for (size_t i = before.listed; i < found_.added().size(); ++i) {
    if (found_.added()[i].severity != Severity::error) continue;
    if (!is_certain_error(found_.added()[i].code)) return false;
    has_error = true;
  }
  return has_error;
}

// Whether gcc compiles the file, and runs nothing that may not run here.
bool UnitChecker::may_run_gcc(const std::string& path) const {
  const auto commands = project_.commands.of_gcc(draft_.full(path));
  return settings_.trusted && !commands.empty() &&
         (request_.may_run_folder ||
          std::ranges::none_of(commands, [](const auto& one) { return one.runs_folder; }));
}

// While clangd looks.
std::unique_ptr<UnitChecker::GccRun> UnitChecker::start_gcc(
    const std::set<std::string>& units) const {
  auto run = std::make_unique<GccRun>();
  for (const std::string& path : units) {
    if (!may_run_gcc(path)) continue;
    for (CompileCommands::Command& command : project_.commands.of_gcc(draft_.full(path))) {
      run->commands.push_back(std::move(command));
      run->paths.push_back(path);
    }
  }
  if (run->commands.empty()) return nullptr;
  run->after =
      std::async(is_thrifty() ? std::launch::deferred : std::launch::async, [this, &run = *run] {
        const std::stop_callback ending(task_.stop, [&] { run.stop.request_stop(); });
        return compile(run.commands, true, run.stop.get_token());
      });
  return run;
}

// Removes from `units` those that gcc has judged.
void UnitChecker::check_with_gcc(GccRun& run, std::set<std::string>& units,
                                 const Findings::Mark& before_clangd) {
  const auto& commands = run.commands;
  const auto& paths = run.paths;
  const auto after = run.after.get();
  if (!after) {  // clangd does what it can
    if (std::ranges::any_of(commands, [](const auto& command) { return command.is_strict; }))
      found_.doubt<doubts::failed>(after.error().message);
    return;
  }
  std::vector<CompileCommands::Command> failed;
  std::vector<size_t> places;  // of the failed among all
  std::set<std::string> unknown;
  for (size_t i = 0; i < commands.size(); ++i) {
    if ((*after)[i].is_right) {
      if ((*after)[i].refuses_wrong) continue;
      unknown.insert(paths[i]);
      found_.doubt<doubts::unproven_gcc>(paths[i]);
      continue;
    }
    failed.push_back(commands[i]);
    places.push_back(i);
  }
  size_t count = 0;
  bool has_refused = false;
  if (!failed.empty()) {
    const auto before = compile(failed, false, task_.stop);
    if (!before) return;
    for (size_t i = 0; i < failed.size(); ++i) {
      const std::string& output = (*after)[places[i]].output;
      const std::string& old_output = (*before)[i].output;
      size_t added = 0;
      for (CheckedProblem& problem : new_errors_in(old_output, output)) {
        const auto path = std::filesystem::path(failed[i].folder) / problem.path;
        problem.path = draft_.relative(path.lexically_normal().generic_string());
        problem.source = "gcc";
        const bool is_listed = found_.has_error_at(problem.path, problem.line);
        // clangd has found it, or it is hidden.
        if (!is_listed && problem.message.contains("No such file or directory")) {
          unknown.insert(paths[places[i]]);
          if ((*before)[i].is_right) found_.doubt<doubts::gcc_rejects>(paths[places[i]]);
          continue;
        }
        ++added;
        if (is_listed || count + added > kMaxListed) continue;
        found_.add(std::move(problem));
      }
      count += added;
      if (added > 0 || unknown.contains(paths[places[i]])) continue;
      if ((*before)[i].is_right) {
        has_refused = true;
        found_.doubt<doubts::gcc_rejects>(paths[places[i]]);
      } else {
        // It refused the unit before: it may run in another way here than in the build, or not have
        // read all of it.
        unknown.insert(paths[places[i]]);
      }
    }
  }
  const size_t judged = std::erase_if(units, [&](const std::string& path) {
    const bool is_judged = std::ranges::find(paths, path) != paths.end() && !unknown.contains(path);
    if (is_judged) of_gcc_.insert(path);
    return is_judged;
  });
  if (judged > 0) found_.judged_by("gcc");
  if (count > 0 || has_refused || !units.empty()) return;
  // The compiler accepts the draft: clangd's own errors and doubts do not count.
  found_.forget_doubts(before_clangd);
  found_.weaken(before_clangd);
}

}  // namespace bodkin
