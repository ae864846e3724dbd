#include "agent/loop/user_turn.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "agent/ask/step.h"
#include "agent/loop/conversation_messages.h"
#include "agent/sandbox/shell.h"
#include "agent/tools/command_run.h"
#include "edits/text/line_keys.h"

namespace bodkin {

UserTurn take_user_turn(Placer& placer, ToolBench& bench, const Task& task) {
  using State = UserTurn::State;
  const auto report = [&](Progress::Kind kind, std::string text) {
    if (task.report) task.report({kind, std::move(text)});
  };
  if (!bench.editor) return {State::failed, "Mode \"human\" needs an interactive session."};
  report(Progress::Kind::waiting, "Waiting for your command");
  const auto words = bench.editor->ask_words("Command or edit (empty: done)", task);
  if (!words) {
    const bool stopped = words.error().code == Error::Code::cancelled;
    return {stopped ? State::cancelled : State::failed, words.error().message};
  }
  if (is_blank_text(*words)) return {State::done};
  const auto begun = std::chrono::steady_clock::now();
  const size_t first = words->find_first_not_of(" \t\r\n");
  const bool is_marked = (*words)[first] == '!';
  const std::string command = is_marked ? words->substr(first + 1) : *words;
  if (!is_marked) {
    ParseOptions options;
    options.in_chat = true;
    const PlacedReply placed = placer.place(*words, options, task);
    if (placed.state == PlacedReply::State::taken) {
      say(bench.conversation, "The user edited the files:\n" + *words);
      report_step(task, "", begun, false, bench.draft.new_changes());
      return {};
    }
    if (placed.state == PlacedReply::State::refused) {
      report(Progress::Kind::note, placed.reason);
      return {};
    }
    // A pasted reply is not run, whatever it is.
    if (command.find('\n', first) < command.find_last_not_of(" \t\r\n")) {
      report(Progress::Kind::note,
             "No edit was found in it. A command of several lines begins with \"!\".");
      return {};
    }
  }
  if (!bench.shell) {
    report(Progress::Kind::note,
           is_marked ? "Commands cannot run in an untrusted folder."
                     : "This is not an edit, and commands cannot run in an untrusted folder.");
    return {};
  }
  const CommandEnd ended = run_one(bench, {.text = command, .timeout = bench.shell->timeout}, task);
  if (task.stop.stop_requested()) return {State::cancelled, "Cancelled."};
  const bool is_done = ended.state == CommandEnd::State::ended;
  report(Progress::Kind::text, is_done ? ended.output : ended.told + "\n");
  if (is_done) report(Progress::Kind::status, fmt::format("Exit code {}", ended.exit_code));
  say(bench.conversation,
      fmt::format("The user ran this command:\n{}\n{}{}", command,
                  shown_output(ended.output, "ask for less of it"), ended.told));
  report_step(task, "run_command", begun, !is_done, bench.draft.new_changes());
  return {};
}

}  // namespace bodkin
