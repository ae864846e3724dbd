#include "agent/loop/shell_replies.h"

#include <fmt/format.h>

#include <utility>

#include "agent/ask/step.h"
#include "agent/loop/ask_state.h"
#include "agent/loop/command_block.h"
#include "agent/platform/processes.h"
#include "agent/support/utf8.h"
#include "agent/tools/command_run.h"

namespace bodkin {

namespace {

constexpr size_t kMaxAnswer = 100'000;  // bytes
constexpr int kMaxRepeated = 3;         // the same command with the same result, in a row

std::string without_blank_end(std::string text) {
  text.resize(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

}  // namespace

void ShellReplies::set_spent(const Spent& spent) {
  variables_["n_model_calls"] = std::to_string(spent.turns);
  variables_["model_cost"] = spent.cost_usd ? fmt::format("{:.2f}", *spent.cost_usd) : "unknown";
}

std::string ShellReplies::filled(const std::string& text, TemplateVariables own) const {
  own.insert(variables_.begin(), variables_.end());
  return without_blank_end(fill_in(text, own));
}

std::string ShellReplies::format_error(size_t count, const std::string& problem) const {
  return filled(state_.profile.shell.format_error,
                {{"n_actions", std::to_string(count)}, {"problem", problem}});
}

std::string ShellReplies::limits(const std::string& reason) const {
  return filled(state_.profile.shell.limits, {{"reason", reason}});
}

ShellReplies::Step ShellReplies::take(const std::string& text) {
  CommandReply reply = read_command_reply(text);
  if (os::kShellIsPowerShell && reply.count == 1 && !reply.is_powershell)
    reply.problem =
        "Commands are for PowerShell here, which is Windows: use a ```powershell block.";
  if (reply.count != 1 || !reply.problem.empty()) {
    return {format_error(reply.count, reply.problem),
            {},
            reply.count == 0  ? "The reply contained no command."
            : reply.count > 1 ? fmt::format("The reply contained {} commands.", reply.count)
                              : "The reply's command was incomplete.",
            ""};
  }
  if (state_.task.report)
    state_.task.report({Progress::Kind::tool, "Running " + title_of_command(reply.command)});
  const auto begun = std::chrono::steady_clock::now() - state_.bench.gate->waited();
  const CommandEnd end = run_one(state_.bench,
                                 {.text = reply.command,
                                  .is_powershell = reply.is_powershell,
                                  .timeout = state_.bench.shell->timeout},
                                 state_.task);
  report_step(state_.task, "run_command", begun + state_.bench.gate->waited(),
              end.state != CommandEnd::State::ended, state_.bench.draft.new_changes(), end.told, {},
              shown_end(end));
  Step step;
  if (end.state == CommandEnd::State::not_run) {
    step.message = end.told + (end.advice.empty() ? "" : " ") + end.advice;
  } else if (end.state == CommandEnd::State::stopped) {
    step.message = filled(
        state_.profile.shell.timeout,
        {{"command", reply.command}, {"reason", end.told}, {"output", shown_output(end.output)}});
  } else if (auto submitted = submission_in(end.output)) {
    if (submitted->size() > kMaxAnswer)
      *submitted = valid_utf8(submitted->substr(0, kMaxAnswer)) + "\n(cut)";
    step.answer = without_blank_end(std::move(*submitted));
    if (step.answer->empty()) step.answer = reply.thought;
    return step;
  } else {
    step.message =
        filled(state_.profile.shell.observation, {{"returncode", std::to_string(end.exit_code)},
                                                  {"output", shown_output(end.output)},
                                                  {"changes", end.told}});
  }
  std::string key = reply.command + '\0' + step.message;
  repeated_ = !end.edited && key == last_ ? repeated_ + 1 : 1;
  last_ = std::move(key);
  if (repeated_ >= kMaxRepeated) {
    step.repetition = fmt::format(
        "The model is stuck: it ran the same command {} times with the same result.", repeated_);
  }
  return step;
}

}  // namespace bodkin
