#include "agent/loop/uncommitted.h"

#include <chrono>
#include <filesystem>

#include "agent/context/symbols.h"
#include "agent/sandbox/shell.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "edits/text/pieces.h"

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr size_t kMaxUncommitted = 24'000;  // bytes
constexpr int kNoCommit = 17;               // the exit code below

// Nothing that the repository's configuration names is run or read: no file system monitor, filter,
// text conversion, external diff, or other repository in it. (Its attributes may still name a
// filter, so each is set to nothing.) Private files are not in the sandbox, so that they look
// deleted: what is deleted is only named.
constexpr char kCommand[] = R"(exec 2>/dev/null
export GIT_OPTIONAL_LOCKS=0 GIT_CONFIG_KEY_0=core.fsmonitor GIT_CONFIG_VALUE_0=false
export GIT_CONFIG_KEY_1=core.excludesFile GIT_CONFIG_VALUE_1=/dev/null
export GIT_CONFIG_KEY_2=core.hooksPath GIT_CONFIG_VALUE_2=/dev/null
export GIT_CONFIG_KEY_3=core.quotePath GIT_CONFIG_VALUE_3=false
n=4
while IFS= read -r key; do
  [ -n "$key" ] || continue
  export "GIT_CONFIG_KEY_$n=$key" "GIT_CONFIG_VALUE_$n="
  n=$((n + 1))
done <<END
$(git config --name-only --get-regexp '^filter\.')
END
export GIT_CONFIG_COUNT=$n
git rev-parse --git-dir >/dev/null || exit 1
git rev-parse --quiet --verify HEAD >/dev/null || exit 17
diff() {
  git --no-pager diff --no-color --no-ext-diff --no-textconv --no-renames --no-relative -O/dev/null \
    --ignore-submodules=all --src-prefix=a/ --dst-prefix=b/ ${staged:+--cached} "$@" HEAD
}
diff --diff-filter=d || exit
echo
diff --name-only --diff-filter=D | sed 's/^/deleted: /'
[ -n "$staged" ] || git ls-files --others --exclude-standard | sed 's/^/untracked: /'
)";

bool names_private(std::string_view line, GuardedWorkspace& guard, const std::string& prefix) {
  for (const std::string_view label : {"deleted: ", "untracked: "}) {
    if (line.starts_with(label))
      return guard.is_private(prefix + std::string(line.substr(label.size())));
  }
  return false;
}

// Why git told nothing, as the end of a sentence.
std::string why_unknown(const std::string& folder, const SandboxOutcome& outcome) {
  std::error_code error;
  const auto git = std::filesystem::status(folder + "/.git", error);
  if (outcome.exit_code == kNoCommit) return "nothing has been committed yet";
  if (!std::filesystem::exists(git)) return "the folder is not the top of a git repository";
  if (!std::filesystem::is_directory(git)) return "its repository is in another folder";
  // If git tracks a private file, its objects are not in the sandbox either.
  return outcome.hidden.empty() ? "git diff failed"
                                : "there are private files, which git's history may contain";
}

}  // namespace

std::string uncommitted_text(const Limits& limits, GuardedWorkspace& guard, Workspace& files,
                             bool is_staged, size_t most, const Task& task) {
  const auto unknown = [&](const std::string& where, const std::string& why,
                           const std::string& way = "") {
    const std::string changes = (is_staged ? "staged changes" : "uncommitted changes") + where;
    if (task.report)
      task.report({Progress::Kind::note,
                   "the model is not shown the " + plain_line(changes + ": " + why + way)});
    return "The " + changes + " are not known: " + why + ".\n\n";
  };
  const Shell* const shell = limits.shell.get();
  if (!shell)
    return unknown("", "this folder is not trusted, so git does not run in it",
                   limits.way_to_trust.empty() ? "" : "; " + limits.way_to_trust);
  if (sandbox_ability().kind == Confinement::none)
    return unknown("", "this machine has no sandbox for git");
  const Roots roots = files.roots(task);
  if (roots.empty()) return unknown("", "no folder is open");
  most = std::min(most, kMaxUncommitted);
  std::string all;
  for (const Root& root : roots) {
    const std::string where = roots.size() > 1 ? " in " + shown_name(root.name) : "";
    ShellLine line{.text = std::string(is_staged ? "staged=1\n" : "staged=\n") + kCommand,
                   .timeout = 10s};
    if (root != *roots.begin()) line.folder = root.folder;
    const auto outcome = run_line(*shell, line, files, nullptr, task);
    if (!outcome) {
      all += unknown(where, outcome.error().message);
      continue;
    }
    if (!outcome->ended.empty()) {
      all += unknown(where, "git was stopped, " + outcome->ended);
      continue;
    }
    if (outcome->exit_code != 0) {
      all += unknown(where, why_unknown(root.folder, *outcome));
      continue;
    }
    const std::string output = valid_utf8(outcome->output);
    std::string result;
    for (const std::string_view line : split_lines(output)) {
      if (result.size() >= most) break;
      const std::string shown(line);
      const bool is_name = shown.starts_with("deleted: ") || shown.starts_with("untracked: ");
      if (!names_private(shown, guard, roots.prefix_of(root)))
        result += (is_name ? shown_name(shown) : shown) + "\n";
    }
    if (result.find_first_not_of('\n') == std::string::npos) {
      all += (is_staged ? "Nothing is staged" : "Nothing has changed since the last commit") +
             where + ".\n\n";
      continue;
    }
    if (output.size() > most) result += "(cut)\n";
    all += (is_staged ? "Staged for the next commit" : "Changed since the last commit") + where +
           (is_staged ? " (git diff --cached HEAD):\n" : " (git diff HEAD):\n") + fenced(result) +
           "\n";
  }
  return all;
}

}  // namespace bodkin
