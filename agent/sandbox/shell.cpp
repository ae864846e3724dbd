#include "agent/sandbox/shell.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/platform/paths.h"
#include "agent/platform/processes.h"
#include "agent/sandbox/scratch.h"
#include "agent/support/base64.h"
#include "agent/support/encoding.h"
#include "agent/support/program.h"
#include "agent/support/utf8.h"

namespace bodkin {

namespace {

// The script as PowerShell's -EncodedCommand wants it: UTF-16LE in base64.
std::string encoded_script(const std::string& script) {
  return base64_of(encoded(valid_utf8(script), "utf-16le").value_or(""));
}

// Every single quotation mark of Unicode ends a text there; two in a row mean one.
std::string in_powershell_quotes(const std::string& text) {
  std::string quoted = "'";
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = std::string_view(text).substr(at);
    const bool is_curved = rest.starts_with("\xE2\x80\x98") || rest.starts_with("\xE2\x80\x99") ||
                           rest.starts_with("\xE2\x80\x9A") || rest.starts_with("\xE2\x80\x9B");
    if (text[at] == '\'') quoted += '\'';
    if (is_curved) quoted += rest.substr(0, 3);
    quoted += text[at];
  }
  return quoted + "'";
}

std::string powershell_script(const ShellLine& line) {
  if (line.folder.empty()) return line.text;
  return "Set-Location -ErrorAction Stop -LiteralPath " + in_powershell_quotes(line.folder) + "\n" +
         line.text;
}

}  // namespace

Result<std::vector<std::string>> command_of(const ShellLine& line) {
  if (runs_in_powershell(line)) {
    auto shell = find_program("pwsh");
    if (!shell && os::kShellIsPowerShell) shell = find_program("powershell");
    if (!shell) return fail(Error::Code::unavailable, "there is no PowerShell (pwsh) here");
    std::vector<std::string> command{*shell, "-NoProfile", "-NonInteractive"};
    // Otherwise its errors come as XML.
    if (os::kShellIsPowerShell) command.insert(command.end(), {"-OutputFormat", "Text"});
    command.insert(command.end(), {"-EncodedCommand", encoded_script(powershell_script(line))});
    return command;
  }
  const auto bash = find_program("bash");
  const auto program = bash ? bash : find_program("sh");
  if (!program) return fail(Error::Code::unavailable, "there is no shell");
  if (line.folder.empty()) return std::vector<std::string>{*program, "-c", "--", line.text};
  std::error_code error;
  const std::string real = os::canonical(line.folder, error).generic_string();
  // A `cd` in the line itself would bind some of its commands only.
  return std::vector<std::string>{*program,
                                  "-c",
                                  R"(cd -- "$1" && exec "$0" -c -- "$2")",
                                  *program,
                                  !os::is_absolute(line.folder) ? "./" + line.folder
                                  : error                       ? line.folder
                                                                : real,
                                  line.text};
}

bool can_run_commands(const Shell& shell, const Editor* editor) {
  return shell.is_confined || (editor && shell.consent) ||
         sandbox_ability().kind != Confinement::none;
}

bool is_confined(const Shell& shell) {
  if (shell.is_confined) return *shell.is_confined;
  return !shell.sandbox.network && sandbox_ability().kind != Confinement::none;
}

std::string describe_confinement(const Shell& shell) {
  return fmt::format(
      "in a sandbox, or without one if this machine has none and the user allows it. In the "
      "sandbox there is no input, {}, nothing outside the workspace can be changed, and private "
      "files are absent",
      shell.sandbox.network ? "the network can be reached" : "there is no network");
}

bool runs_in_powershell(const ShellLine& line) {
  return line.is_powershell || os::kShellIsPowerShell;
}

std::string shown_line(const ShellLine& line) {
  return runs_in_powershell(line) ? powershell_script(line) : subject_of(line);
}

std::string subject_of(const ShellLine& line) {
  if (runs_in_powershell(line)) return "pwsh -Command " + shell_quoted(powershell_script(line));
  return line.folder.empty() ? line.text : "cd " + shell_quoted(line.folder) + "\n" + line.text;
}

namespace {

Result<SandboxOutcome> run_here(const Shell& shell, const ShellLine& line, Workspace& files,
                                Editor* editor, const Task& task) {
  auto command = command_of(line);
  if (!command) return std::unexpected(command.error());
  SandboxRun run;
  run.command = std::move(*command);
  run.name = "The command";
  run.settings = shell.sandbox;
  run.timeout = std::min(line.timeout, shell.timeout);
  run.wants_changes = true;
  if (sandbox_ability().kind == Confinement::none) {
    const auto allowed =
        shell.consent ? shell.consent->ask(editor, shown_line(line), task) : Result<bool>(false);
    if (!allowed) return std::unexpected(allowed.error());
    if (!*allowed) {
      return fail(Error::Code::unavailable,
                  "this machine has no sandbox, and the user did not allow commands without one");
    }
    run.may_be_unconfined = true;
  }
  auto in_folders = with_folders_of(files, std::move(run), task);
  if (!in_folders) return std::unexpected(in_folders.error());
  if (line.lay_over) line.lay_over(in_folders->folders);
  return run_in_sandbox(*in_folders, task.stop);
}

}  // namespace

Result<SandboxOutcome> run_line(const Shell& shell, const ShellLine& line, Workspace& files,
                                Editor* editor, const Task& task) {
  const auto run = [&] { return run_here(shell, line, files, editor, task); };
  return shell.instead ? shell.instead(line, run) : run();
}

}  // namespace bodkin
