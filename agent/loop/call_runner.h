// CallRunner: the tool calls of one ask. Each has exactly one result, whatever happens. On the
// ask's thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "agent/tools/tool_set.h"

namespace bodkin {

// Edits refused since the last accepted one.
struct FailedEdits {
  int count = 0;
  std::string last;  // why, for the user

  void add(std::string why) { ++count, last = std::move(why); }
};

class CallRunner {
 public:
  // All outlive this.
  CallRunner(Gate& gate, Draft& draft, FailedEdits& failed, const Task& task)
      : gate_(gate), draft_(draft), failed_(failed), task_(task) {}

  void set_tools(ToolSet tools) { tools_ = std::move(tools); }
  void add_tools(std::vector<Tool> tools) { tools_.add(std::move(tools)); }
  const std::vector<ToolSpec>& tools() const { return tools_.offered(); }

  ToolOutcome run(const ToolCall& call);
  // A sentence for the user if the model keeps making the same call with the same result; else
  // empty.
  const std::string& repetition() const { return repetition_; }

 private:
  ToolOutcome run_tool(const ToolCall& call, bool& edits);

  Gate& gate_;
  Draft& draft_;
  FailedEdits& failed_;
  const Task& task_;
  ToolSet tools_;
  std::string last_call_;  // with its result
  int repeated_ = 0;
  std::string repetition_;
};

}  // namespace bodkin
