// run_command: a line for the shell, in a sandbox with the draft in it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "agent/support/path_text.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/command_run.h"
#include "agent/tools/tool_functions.h"
#include "agent/workspace/secrets.h"

namespace bodkin {

namespace {

constexpr size_t kMaxCommand = 100'000;  // bytes
constexpr size_t kMaxShown = 10'000;     // characters of the output
constexpr size_t kMaxTitle = 300;        // bytes, about
constexpr size_t kMaxBlanks = 4;         // of a title, in a row
constexpr size_t kMaxLastLines = 10;     // of the output, for the user
constexpr size_t kMaxLastBytes = 2'000;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

CommandEnd not_run(std::string why, std::string advice = {}) {
  return {.state = CommandEnd::State::not_run, .told = std::move(why), .advice = std::move(advice)};
}

std::string in_tags(const std::string& output) {
  return "<output>\n" + shown_output(output) + "</output>\n";
}

}  // namespace

std::string shown_output(const std::string& whole, const char* advice) {
  // Half of a secret is known by no form.
  const std::string output = hide_secrets(whole);
  const auto count = static_cast<size_t>(std::ranges::count_if(output, begins_character));
  std::string shown = visible(output);
  if (count > kMaxShown) {
    size_t head = 0, tail = output.size();
    for (size_t left = kMaxShown / 2 + 1; left > 0; ++head)
      if (begins_character(output[head]) && --left == 0) break;
    for (size_t left = kMaxShown / 2; left > 0;)
      if (begins_character(output[--tail])) --left;
    shown = fmt::format("{}\n… {} characters omitted; {} …\n{}", visible(output.substr(0, head)),
                        count - kMaxShown, advice, visible(output.substr(tail)));
  }
  if (!shown.empty() && !shown.ends_with('\n')) shown += '\n';
  return shown;
}

std::optional<Step::Command> shown_end(const CommandEnd& end) {
  if (end.state != CommandEnd::State::ended) return std::nullopt;
  const std::string output = hide_secrets(end.output);
  std::string_view last = output;
  while (last.ends_with('\n') || last.ends_with('\r')) last.remove_suffix(1);
  size_t begin = last.size();
  for (size_t lines = 0; begin > 0 && last.size() - begin < kMaxLastBytes; --begin) {
    if (last[begin - 1] == '\n' && ++lines == kMaxLastLines) break;
  }
  while (begin < last.size() && !begins_character(last[begin])) ++begin;
  const auto above = std::ranges::count(last.substr(0, begin), '\n');
  const std::string cut =
      begin == 0   ? ""
      : above == 0 ? "…"
                   : "… " + counted(static_cast<size_t>(above), "line") + " above left out\n";
  return Step::Command{end.exit_code, cut + visible(std::string(last.substr(begin)))};
}

bool can_run_commands(const ToolBench& bench) {
  return bench.shell && can_run_commands(*bench.shell, bench.editor);
}

std::string title_of_command(const std::string& command) {
  std::string title;
  size_t at = 0, blanks = 0;  // many blanks would push what follows out of sight
  for (; at < command.size() && (title.size() < kMaxTitle || !begins_character(command[at]));
       ++at) {
    const char c = command[at];
    blanks = c == ' ' || c == '\t' ? blanks + 1 : 0;
    if (blanks == kMaxBlanks + 1) title += "…";
    if (blanks <= kMaxBlanks) title += c == '\n' ? " ⏎ " : std::string(1, c);
  }
  if (at < command.size()) title += fmt::format("… ({} bytes in all)", command.size());
  return title;
}

CommandEnd run_one(ToolBench& bench, ShellLine line, const Task& task) {
  if (line.text.find_first_not_of(" \t\n") == std::string::npos)
    return not_run("The command is empty.");
  if (line.text.find('\0') != std::string::npos) return not_run("The command contains a NUL byte.");
  if (line.text.size() > kMaxCommand)
    return not_run("The command is longer than 100 kB.", "Use the edit tools to write files.");
  const std::string shown = shown_line(line);
  const auto allowed = bench.gate->admit(
      {"run", subject_of(line), "Running " + title_of_command(shown), shown}, task);
  if (!allowed) return not_run(allowed.error().message, allowed.error().advice);
  if (bench.command_files)
    line.lay_over = [&](auto& folders) { bench.command_files->kept.add_to(folders); };
  const auto begun = std::chrono::system_clock::now();
  auto outcome = run_line(*bench.shell, line, bench.draft, bench.editor, task);
  if (!outcome && outcome.error().code == Error::Code::cancelled)
    return not_run(
        "The command was stopped because the user cancelled. None of its changes were kept.");
  if (!outcome) return not_run("The command did not run: " + outcome.error().message + ".");
  CommandEnd end{CommandEnd::State::ended, outcome->exit_code, valid_utf8(outcome->output), ""};
  if (!outcome->ended.empty()) {
    end.state = CommandEnd::State::stopped;
    end.told = std::move(outcome->ended);
    return end;
  }
  if (task.stop.stop_requested()) return not_run("The user cancelled; no changes were kept.");
  if (bench.drops_changes) {
    const SandboxChanges& changes = outcome->changes;
    if (!changes.list.empty() || !changes.are_all)
      end.told = "What the command changed was dropped: nothing may be changed here.\n";
    return end;
  }
  TakenChanges taken = take_changes(bench, outcome->changes, begun, task);
  end.told = std::move(taken.told);
  end.edited = taken.edited;
  return end;
}

// The working folder as run_line wants it.
std::string working_folder(const std::string& path, const Roots& roots) {
  const auto place = roots.find(path);
  if (path.empty() || !place) return path;
  if (place->root == *roots.begin()) return place->inside;
  return place->inside.empty() ? place->root.folder : join_path(place->root.folder, place->inside);
}

ToolOutcome run_command(ToolBench& bench, const nlohmann::json& arguments, const Task& task) {
  std::string command = string_of(arguments, "command");
  const Roots roots = bench.draft.roots(task);
  const auto folder = folder_in_workspace(string_of(arguments, "folder"), roots);
  if (!folder) return failed(folder.error());
  ShellLine line{.text = std::move(command),
                 .timeout = bench.shell->timeout,
                 .folder = working_folder(*folder, roots)};
  if (arguments.contains("timeout_ms")) {
    const int64_t wanted = arguments["timeout_ms"].get<int64_t>();
    if (wanted <= 0) return failed("The time limit must be at least 1 ms.");
    line.timeout = std::min(line.timeout, std::chrono::milliseconds(wanted));
  }
  const CommandEnd end = run_one(bench, std::move(line), task);
  switch (end.state) {
    case CommandEnd::State::not_run:
      return failed(end.told, end.advice);
    case CommandEnd::State::stopped:
      return failed(
          end.told +
              ". It and everything it started were terminated, and none of its changes were kept.",
          "Try a different command: one that needs no input, does less, or writes less.\n" +
              in_tags(end.output));
    case CommandEnd::State::ended:
      break;
  }
  ToolOutcome outcome{
      fmt::format("<returncode>{}</returncode>\n", end.exit_code) + in_tags(end.output) + end.told,
      false, end.edited};
  outcome.command = shown_end(end);
  return outcome;
}

}  // namespace bodkin
