// run_command: a line for the shell, in a sandbox with the draft in it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/sandbox/shell.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/tool_functions.h"

namespace bodkin {

namespace {

constexpr size_t kMostOfCommand = 100'000;  // bytes
constexpr size_t kMostShown = 10'000;       // characters of the output
constexpr size_t kMostOfTitle = 300;        // bytes

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// What stands for an output in the result, at most kMostShown characters of it.
std::string shown_output(const std::string& raw) {
  const std::string output = valid_utf8(raw);
  const auto count = static_cast<size_t>(std::ranges::count_if(output, begins_character));
  std::string shown = visible(output);
  if (count > kMostShown) {
    size_t head = 0, tail = output.size();
    for (size_t left = kMostShown / 2 + 1; left > 0; ++head)
      if (begins_character(output[head]) && --left == 0) break;
    for (size_t left = kMostShown / 2; left > 0;)
      if (begins_character(output[--tail])) --left;
    shown = fmt::format(
        "{}\n… {} characters are left out here: be more precise, with head, tail or grep, or a "
        "quieter option …\n{}",
        visible(output.substr(0, head)), count - kMostShown, visible(output.substr(tail)));
  }
  if (!shown.empty() && !shown.ends_with('\n')) shown += '\n';
  return "<output>\n" + shown + "</output>\n";
}

}  // namespace

bool can_run_commands(const ToolBench& bench) {
  return bench.shell && can_run_commands(*bench.shell, bench.editor);
}

std::string title_of_command(const std::string& command) {
  size_t end = std::min(command.size(), kMostOfTitle);
  while (end < command.size() && !begins_character(command[end])) --end;
  std::string title;
  for (const char c : command.substr(0, end)) title += c == '\n' ? " ⏎ " : std::string(1, c);
  if (end < command.size()) title += fmt::format("… ({} bytes in all)", command.size());
  return title;
}

ToolOutcome run_command(ToolBench& bench, const nlohmann::json& arguments, const Task& task) {
  std::string command = string_of(arguments, "command");
  if (command.find_first_not_of(" \t\n") == std::string::npos)
    return failed("The command is empty.");
  if (command.find('\0') != std::string::npos) return failed("The command holds a NUL.");
  if (command.size() > kMostOfCommand)
    return failed("The command is above 100 kB: write files with the edit tools.");
  const auto folder = path_in_workspace(string_of(arguments, "folder"), bench.draft.roots(task));
  if (!folder) return failed(folder.error().message);
  if (!folder->empty()) {
    if (folder->find_first_of("'\n") != std::string::npos)
      return failed("Commands cannot run in " + *folder + ": use cd.");
    command = "cd '" + *folder + "' && " + command;
  }
  std::chrono::milliseconds timeout = bench.shell->timeout;
  if (arguments.contains("timeout_ms")) {
    const int64_t wanted = arguments["timeout_ms"].get<int64_t>();
    if (wanted <= 0) return failed("timeout_ms must be at least 1.");
    timeout = std::min(timeout, std::chrono::milliseconds(wanted));
  }
  const auto allowed =
      bench.gate->admit({"run", command, "Running " + title_of_command(command), command}, task);
  if (!allowed) return failed(allowed.error().message);
  const auto begun = std::chrono::system_clock::now();
  const auto outcome = run_line(*bench.shell, command, timeout, bench.draft, bench.editor, task);
  if (!outcome && outcome.error().code == Error::Code::cancelled)
    return failed("The command was ended: the person cancelled. Nothing that it changed was kept.");
  if (!outcome) return failed("The command did not run: " + outcome.error().message + ".");
  if (!outcome->ended.empty()) {
    return failed(outcome->ended +
                  ". It and all that it had started were ended, and nothing that it changed was "
                  "kept. Try another way: a command that waits for no input, does less, or writes "
                  "less.\n" +
                  shown_output(outcome->output));
  }
  if (task.stop.stop_requested()) return failed("The person cancelled: no change was kept.");
  TakenChanges taken = take_changes(bench, outcome->changes, begun, task);
  return {fmt::format("<returncode>{}</returncode>\n", outcome->exit_code) +
              shown_output(outcome->output) + taken.told,
          false, taken.edited};
}

}  // namespace bodkin
