// CallRunner: the tool calls of one ask. Each has exactly one result, whatever happens. On the
// ask's thread.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agent/tools/tool_set.h"

namespace bodkin {

// Failures in a row: edits that were refused and, in `shell`, replies that were not one command.
struct FailedEdits {
  static constexpr int kBeforeFallback = 2;  // then the model is shown another way
  static constexpr int kMax = 3;             // after that, then the ask ends

  int count = 0;
  int before = 0;    // then came another way, if one helps (agent/loop/fallback_advice.h)
  std::string last;  // why, for the user
  std::vector<Unplaced> unplaced;  // of the last one
  bool unreadable = false;         // the last one could not be parsed
  bool denied = false;             // the last one was not permitted
  bool any_denied = false;         // in the whole ask
  bool any_edit = false;  // since the last success: not only replies that were empty or cut
  // Counts, for the reply that is being taken, how many edits of each file failed, except denied
  // ones; and whether any succeeded.
  struct OfFile {
    size_t count = 0;
    bool is_other_kind = false;  // than a new file where there is one
  };
  std::map<std::string, OfFile> of_reply;
  bool any_taken = false;
  std::vector<std::string> in_place;  // of the same reply: files that have its edits already

  void add(std::string why, std::vector<Unplaced> what = {}, bool cannot_be_read = false,
           bool is_denied = false) {
    ++count, last = std::move(why), unplaced = std::move(what), unreadable = cannot_be_read,
             denied = is_denied, any_denied = any_denied || is_denied, any_edit = true;
  }
  // A reply without an edit.
  void add_unusable(std::string why) {
    const bool was_edit = any_edit;
    add(std::move(why));
    any_edit = was_edit;
  }
  // `path`: the file, if there is no `what`; may be empty.
  void count_edits(const std::vector<Unplaced>& what, const std::string& path = "") {
    const auto count_one = [&](const std::string& of, bool is_other_kind) {
      OfFile& file = of_reply[of];
      ++file.count, file.is_other_kind |= is_other_kind;
    };
    for (const Unplaced& one : what) count_one(one.path, one.kind != FailureKind::exists);
    if (what.empty()) count_one(path, true);
  }
  void forget() { count = before = 0, any_edit = false, any_taken = true; }
  int total() const { return before + count; }
  // Enough failures that the model must be told before it continues.
  bool has_reached_limit() const { return count >= (before == 0 ? kBeforeFallback : kMax); }
};

class CallRunner {
 public:
  // All outlive this.
  CallRunner(Gate& gate, Draft& draft, FailedEdits& failed, const Task& task)
      : gate_(gate), draft_(draft), failed_(failed), task_(task) {}

  void set_tools(ToolSet tools) { tools_ = std::move(tools); }
  void add_tools(std::vector<Tool> tools) { tools_.add(std::move(tools)); }
  const std::vector<ToolSpec>& tools() const { return tools_.offered(); }
  void forget_repetition() { last_call_.clear(), repeated_ = 0; }
  bool may_edit(const ToolCall& call) const;
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

  Gate& gate_;
  Draft& draft_;
  FailedEdits& failed_;
  const Task& task_;
  ToolSet tools_;
  std::string last_edit_;  // that was placed, with its arguments
  std::string last_call_;  // with its result
  int repeated_ = 0;       // in how many replies in a row
  int replies_ = 0, last_reply_ = 0;
  std::string repetition_;
};

}  // namespace bodkin
