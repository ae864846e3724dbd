#include "agent/loop/call_runner.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "agent/ask/step.h"
#include "agent/loop/ask_state.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "agent/tools/tool_functions.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

constexpr int kMaxRepeatedCalls = 3;  // the same call with the same result, in a row
constexpr size_t kMaxReason = 200;    // bytes of what a model says about a call

// One line of a model's, for the user.
std::string one_line(std::string_view text) {
  return shortened_to(text.substr(0, text.find('\n')), kMaxReason);
}

}  // namespace

bool CallRunner::may_edit(const ToolCall& call) const {
  return tools_.may_edit(call.name,
                         call.malformed.empty() ? text_of_json(call.arguments) : call.malformed);
}

ToolOutcome CallRunner::run_tool(const ToolCall& call, About& about) {
  if (!call.malformed.empty()) {
    about.edits = may_edit(call);
    const auto parsed = parse_json(call.malformed);
    const bool is_object = parsed && parsed->is_object();
    const std::string reason =
        is_object ? "An argument is given twice." : "The arguments are not a JSON object.";
    return {.content = call.name + ": " + reason + " Send the call again" +
                       (is_object ? " with each once." : "."),
            .is_error = true,
            .reason = reason,
            .unreadable = true};
  }
  const auto resolved = tools_.resolve(call);
  about.edits = resolved ? resolved->tool && resolved->tool->edits : resolved.error().edits;
  if (!resolved)
    return {.content = resolved.error().told,
            .is_error = true,
            .reason = resolved.error().reason,
            .unreadable = true};
  std::string title = resolved->tool ? resolved->tool->title(resolved->arguments) : call.name;
  about.reason = resolved->reason;
  if (about.edits) about.path = string_at(resolved->arguments, "path");
  if (!about.reason.empty()) title += ": " + one_line(about.reason);
  if (state_.task.report) {
    state_.task.report({about.edits ? Progress::Kind::editing : Progress::Kind::tool, title});
  }
  try {
    // An edit is asked for when its diff is known, a command by its line.
    const bool is_read = resolved->tool && !resolved->tool->asks_itself;
    const auto allowed =
        is_read ? state_.gate.admit({"read", "", title, ""}, state_.task) : Result<void>();
    if (!allowed) return failed(allowed.error());
    ToolOutcome outcome = tools_.run(*resolved, state_.task);
    // An undo that fails is not an edit that could not be placed.
    if (resolved->tool && resolved->tool->spec.name == "undo_edit") about.edits = false;
    outcome.ends = resolved->ends;
    outcome.says = resolved->says;
    return outcome;
  } catch (const std::exception& e) {  // a tool's own mistake must not end the server
    return {call.name + " failed: " + e.what(), true};
  }
}

CallRunner::Results CallRunner::run_all(const std::vector<ToolCall>& calls, const std::string& none,
                                        bool has_failed) {
  Results results{{Message::Role::user, {}}};
  ++replies_;
  std::vector<ImageBlock> images;
  bool any_failed = has_failed;
  for (const ToolCall& call : calls) {
    ToolOutcome outcome;
    const bool has_ended = state_.gate.was_rejected() || !repetition_.empty();
    if (!none.empty()) {
      outcome = {none, true};
    } else if (state_.is_stopped()) {
      outcome = {"Not run: the user cancelled.", true};
    } else if (has_ended || state_.failed.has_reached_limit()) {
      outcome = {has_ended || state_.failed.before > 0
                     ? "Not run: the ask has ended."
                     : "Not run: two edits in a row have failed; read why first.",
                 true};
    } else {
      outcome = run(call);
      // Not if another part of the reply has failed: the model must see that first.
      if (outcome.ends && any_failed)
        outcome = {"Not finished: a call or an edit before this one failed.", true};
      results.ends = outcome.ends;
      if (outcome.ends) results.says = std::move(outcome.says);
    }
    any_failed = any_failed || outcome.is_error;
    results.all_failed = results.all_failed && outcome.is_error;
    if (outcome.is_error) results.last_error = reason_of(outcome);
    std::ranges::move(outcome.images, std::back_inserter(images));
    results.message.blocks.push_back(
        ToolResult{call.id, call.name, std::move(outcome.content), outcome.is_error});
  }
  for (ImageBlock& image : images) results.message.blocks.push_back(std::move(image));
  return results;
}

ToolOutcome CallRunner::run(const ToolCall& call) {
  About about;
  const auto begun = std::chrono::steady_clock::now() - state_.gate.waited();
  ToolOutcome outcome = run_tool(call, about);
  if (!call.repaired.empty())
    outcome.content += "\n(The arguments of this call were repaired: " + call.repaired + ".)";
  std::string arguments = text_of_json(call.arguments);
  report_step(state_.task, call.name, begun + state_.gate.waited(), outcome.is_error,
              state_.draft.new_changes(), reason_of(outcome),
              {call.id, std::move(about.reason), arguments, outcome.content},
              std::move(outcome.command));
  if (outcome.edited) {
    last_edit_ = about.edits ? call.name + arguments : "";
    state_.failed.forget();
    last_call_.clear();
    repeated_ = 0;
    return outcome;
  }
  if (about.edits && outcome.is_error) {
    const bool is_placed = last_edit_ == call.name + arguments;  // by the same call
    if (!outcome.denied && !is_placed) state_.failed.count_edits(outcome.unplaced, about.path);
    state_.failed.add(reason_of(outcome), std::move(outcome.unplaced), outcome.unreadable,
                      outcome.denied);
  }
  std::string key =
      call.name + (call.malformed.empty() ? arguments : call.malformed) + outcome.content;
  // The model has seen the results of earlier replies alone.
  repeated_ = key != last_call_ ? 1 : last_reply_ == replies_ ? repeated_ : repeated_ + 1;
  last_reply_ = replies_;
  last_call_ = std::move(key);
  if (repeated_ >= kMaxRepeatedCalls) {
    repetition_ = "The model is stuck: it made the same call (" + plain_line(call.name) + ") " +
                  std::to_string(repeated_) + " times with the same result.";
  }
  return outcome;
}

}  // namespace bodkin
