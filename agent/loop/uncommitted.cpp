#include "agent/loop/uncommitted.h"

#include <algorithm>
#include <chrono>

#include "agent/context/symbols.h"
#include "agent/support/utf8.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr size_t kMaxUncommitted = 24'000;  // bytes

// Private files are not in the sandbox, so that they look deleted: what is deleted is only named.
constexpr char kCommand[] =
    "git --no-pager diff --no-color --no-ext-diff --no-textconv --no-renames --diff-filter=d HEAD "
    "&& echo && git --no-pager diff --no-renames --name-only --diff-filter=D HEAD | "
    "sed 's/^/deleted: /' && git ls-files --others --exclude-standard | sed 's/^/untracked: /'";

bool names_private(std::string_view line, GuardedWorkspace& guard) {
  for (const std::string_view label : {"deleted: ", "untracked: "}) {
    if (line.starts_with(label)) return guard.is_private(line.substr(label.size()));
  }
  return false;
}

}  // namespace

std::string uncommitted_text(const Shell* shell, GuardedWorkspace& guard, Workspace& files,
                             const Task& task) {
  const auto unknown = [](const std::string& why) {
    return "The uncommitted changes are not known: " + why + ".\n\n";
  };
  if (!shell || sandbox_ability().kind == Confinement::none) {
    return unknown("git cannot be run here");
  }
  const ShellLine line{.text = kCommand, .timeout = 10s};
  const auto outcome = run_line(*shell, line, files, nullptr, task);
  if (!outcome) return unknown(outcome.error().message);
  if (!outcome->ended.empty()) return unknown("git was stopped, " + outcome->ended);
  if (outcome->exit_code != 0) {
    // Where git tracks a private file, its objects are not in the sandbox (README, "The sandbox").
    return unknown(outcome->hidden.empty()
                       ? "git diff failed in the workspace's first folder"
                       : "there are private files, which git's history may contain");
  }
  const std::string output = valid_utf8(outcome->output);
  std::string result;
  for (size_t at = 0; at < output.size() && result.size() < kMaxUncommitted;) {
    const size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    if (!names_private(line, guard)) result += line + "\n";
  }
  if (result.find_first_not_of('\n') == std::string::npos) {
    return "Nothing has changed since the last commit.\n\n";
  }
  if (output.size() > kMaxUncommitted) result += "(cut)\n";
  return "Changed since the last commit (git diff HEAD):\n" + fenced(result) + "\n";
}

}  // namespace bodkin
