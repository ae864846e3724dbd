#include "agent/loop/call_runner.h"

#include <algorithm>
#include <utility>

namespace bodkin {

namespace {

constexpr int kMaxRepeatedCalls = 3;  // the same call with the same result, in a row

}  // namespace

const Tool* CallRunner::find(const std::string& name) const {
  const auto found =
      std::ranges::find_if(tools_, [&](const Tool& tool) { return tool.spec.name == name; });
  return found == tools_.end() ? nullptr : &*found;
}

ToolOutcome CallRunner::run_tool(const Tool* tool, const ToolCall& call,
                                 nlohmann::json& arguments) {
  if (!tool) {
    std::string names;
    for (const Tool& one : tools_) names += (names.empty() ? "" : ", ") + one.spec.name;
    return {"Unknown tool \"" + call.name + "\"" +
                (names.empty() ? "; write edit blocks." : "; available tools: " + names + "."),
            true};
  }
  if (!call.malformed.empty()) {
    return {call.name + ": the arguments are not a JSON object; send the call again.", true};
  }
  if (auto wrong = coerce_arguments(tool->spec, arguments)) return {*wrong, true};
  const std::string title = tool->title(arguments);
  if (task_.report) {
    task_.report({tool->edits ? Progress::Kind::editing : Progress::Kind::tool, title});
  }
  try {
    // An edit is asked for when its diff is known, a command by its line.
    const auto allowed =
        tool->asks_itself ? Result<void>() : gate_.admit({"read", "", title, ""}, task_);
    if (!allowed) return {allowed.error().message, true};
    return tool->run(arguments, task_);
  } catch (const std::exception& e) {  // a tool's own mistake must not end the server
    return {call.name + " failed: " + e.what(), true};
  }
}

ToolOutcome CallRunner::run(const ToolCall& call) {
  const Tool* tool = find(call.name);
  nlohmann::json arguments = call.arguments;
  ToolOutcome outcome = run_tool(tool, call, arguments);
  if (outcome.edited) {
    failed_.count = 0;
    last_call_.clear();
    repeated_ = 0;
    return outcome;
  }
  if (tool && tool->edits && outcome.is_error) {
    const std::string_view told = std::string_view(outcome.content);
    failed_.add(outcome.reason.empty() ? without_advice(told.substr(0, told.find('\n'))) + "."
                                       : outcome.reason);
  }
  std::string key = call.name +
                    arguments.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                    outcome.content;
  repeated_ = key == last_call_ ? repeated_ + 1 : 1;
  last_call_ = std::move(key);
  if (repeated_ >= kMaxRepeatedCalls) {
    repetition_ = "The model is stuck: it made the same call (" + call.name + ") " +
                  std::to_string(repeated_) + " times with the same result.";
  }
  return outcome;
}

}  // namespace bodkin
