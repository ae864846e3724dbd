#include "agent/sandbox/shell.h"

#include <algorithm>

#include "agent/sandbox/scratch.h"
#include "agent/support/program.h"

namespace bodkin {

bool can_run_commands(const Shell& shell, const Editor* editor) {
  return (editor && shell.consent) || sandbox_ability().kind != Confinement::none;
}

Result<SandboxOutcome> run_line(const Shell& shell, const std::string& line,
                                std::chrono::milliseconds timeout, Workspace& files, Editor* editor,
                                const Task& task) {
  SandboxRun run;
  const auto bash = find_program("bash");
  const auto program = bash ? bash : find_program("sh");
  if (!program) return fail(Error::Code::unavailable, "there is no shell");
  run.command = {*program, "-c", "--", line};
  run.name = "The command";
  run.settings = shell.sandbox;
  run.timeout = std::min(timeout, shell.timeout);
  run.wants_changes = true;
  if (sandbox_ability().kind == Confinement::none) {
    const auto allowed =
        shell.consent ? shell.consent->ask(editor, line, task) : Result<bool>(false);
    if (!allowed) return std::unexpected(allowed.error());
    if (!*allowed) {
      return fail(Error::Code::unavailable,
                  "this machine has no sandbox, and the person did not allow commands without one");
    }
    run.may_be_unconfined = true;
  }
  auto in_folders = with_folders_of(files, std::move(run), task);
  if (!in_folders) return std::unexpected(in_folders.error());
  return run_in_sandbox(*in_folders, task.stop);
}

}  // namespace bodkin
