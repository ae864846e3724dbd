// Where a build makes warnings errors, gcc's are not clang's: what clangd says of such a unit is
// confirmed by the compiler itself, in the sandbox on the view of the draft.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/check.h"
#include "agent/sandbox/output_problems.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kCompilerLimit = 60s;

std::string for_shell(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string unnumbered(std::string text) {
  std::erase_if(text, [](char c) { return c >= '0' && c <= '9'; });
  return text;
}

bool is_warning_of_clang(const CheckedProblem& problem) {
  return problem.severity == Severity::error && problem.code.starts_with("-W");
}

}  // namespace

Result<SandboxOutcome> Checkers::Check::compile(
    const std::vector<CompileCommands::Strict>& commands, bool with_draft) const {
  std::string script = "failed=0\n";
  for (const CompileCommands::Strict& command : commands) {
    script += "(cd " + for_shell(command.folder) + " && exec";
    for (const std::string& word : command.words) script += " " + for_shell(word);
    script += " -o /dev/null) || failed=1\n";
  }
  SandboxRun run;
  run.command = {"sh", "-c", script + "exit $failed"};
  run.name = "the compiler";
  run.folders = {view(with_draft)};
  run.timeout = kCompilerLimit;
  auto outcome = run_in_sandbox(run, task_.stop);
  if (outcome && !outcome->ended.empty())
    return fail(Error::Code::unavailable, "the compiler: " + outcome->ended);
  return outcome;
}

void Checkers::Check::check_with_compiler(const std::set<std::string>& units) {
  std::vector<CompileCommands::Strict> commands;
  for (const std::string& path : units)
    if (const auto* strict = project_.commands.strict(full(path))) commands.push_back(*strict);
  if (commands.empty()) return;
  const bool is_doubted = new_errors_ > 0 && commands.size() == units.size() &&
                          std::ranges::all_of(result_.added, [](const CheckedProblem& one) {
                            return one.severity != Severity::error || is_warning_of_clang(one);
                          });
  if (new_errors_ > 0 && !is_doubted) return;
  if (!settings_.trusted)
    return not_checked(
        "the build makes gcc's warnings errors, and gcc runs only in a folder that is trusted");
  const auto after = compile(commands, true);
  if (!after) return not_checked(after.error().message);
  if (after->exit_code == 0) {
    if (!is_doubted) return;
    for (CheckedProblem& problem : result_.added)
      if (is_warning_of_clang(problem)) problem.severity = Severity::warning;
    new_errors_ = 0;
    return;
  }
  const auto before = compile(commands, false);
  if (!before) return not_checked(before.error().message);
  std::multiset<std::string> old;
  for (const CheckedProblem& problem : problems_in(before->output))
    if (problem.severity == Severity::error) old.insert(unnumbered(problem.message));
  size_t count = 0;
  for (CheckedProblem& problem : problems_in(after->output)) {
    if (problem.severity != Severity::error) continue;
    if (const auto known = old.find(unnumbered(problem.message)); known != old.end()) {
      old.erase(known);
      continue;
    }
    ++count;
    if (is_doubted) continue;  // clangd has named the places
    const std::filesystem::path path = std::filesystem::path(commands[0].folder) / problem.path;
    problem.path = relative(path.lexically_normal().string());
    problem.source = "gcc";
    ++new_errors_;
    result_.added.push_back(std::move(problem));
  }
  if (count == 0 && before->exit_code == 0) not_checked("gcc refuses the draft");
}

}  // namespace bodkin
