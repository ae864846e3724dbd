// CallRunner: runs the tool calls of one ask, on the ask's thread. Each call has exactly one
// result, whatever happens.
#pragma once

#include <string>
#include <vector>

#include "agent/tools/tool_set.h"

namespace bodkin {

struct AskState;

class CallRunner {
 public:
  explicit CallRunner(AskState& state) : state_(state) {}  // outlives this

  void set_tools(ToolSet tools) { tools_ = std::move(tools); }
  void add_tools(std::vector<Tool> tools) { tools_.add(std::move(tools)); }
  const std::vector<ToolSpec>& tools() const { return tools_.offered(); }
  void forget_repetition() { last_call_.clear(), repeated_ = 0; }
  bool may_edit(const ToolCall& call) const;
  // The same of a call that was cut off, of which only the tool is known.
  bool may_edit(const std::string& tool) const { return tools_.may_edit(tool, ""); }
  // Offers one of our tools, from now on; false: the profile does not allow it.
  bool offer(std::string_view name) { return tools_.offer(name); }

  struct Results {
    Message message;         // one result for each call, in order, and their images
    bool ends = false;       // the model has finished
    bool all_failed = true;  // each of the calls
    std::string last_error;  // for the user
    std::string says;        // what the call that finishes gives as the answer
  };
  // The calls of one reply. `none`: why none of them is run, for the model; empty: they are.
  // `has_failed`: another part of the reply, so that no call finishes. Blocks.
  Results run_all(const std::vector<ToolCall>& calls, const std::string& none, bool has_failed);
  // A sentence for the user if the model keeps making the same call with the same result; else
  // empty.
  const std::string& repetition() const { return repetition_; }

 private:
  ToolOutcome run(const ToolCall& call);
  struct About {
    bool edits = false;  // it is an edit, also if it fails
    std::string reason;  // what the model calls it for, if it says so
    std::string path;    // the file, of an edit of one
  };
  ToolOutcome run_tool(const ToolCall& call, About& about);

  AskState& state_;
  ToolSet tools_;
  std::string last_edit_;  // that was placed, with its arguments
  std::string last_call_;  // with its result
  int repeated_ = 0;       // in how many replies in a row
  int replies_ = 0, last_reply_ = 0;
  std::string repetition_;
};

}  // namespace bodkin
