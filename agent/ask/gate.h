// Gate: checks an ask's actions against the user's permissions. One per ask, on its thread.
#pragma once

#include <string_view>

#include "agent/ask/ask.h"
#include "edits/apply/apply.h"

namespace bodkin {

class Gate {
 public:
  // All outlive the gate; if `editor` is null, everything that requires asking is rejected.
  Gate(const Permissions& permissions, Conversation& conversation, Editor* editor)
      : permissions_(permissions), conversation_(conversation), editor_(editor) {}

  // May the model do this? Asks the user if a rule says so, and waits. Error, for the model:
  // invalid_input (a rule denies it), cancelled (the user said no, or the ask is stopped).
  Result<void> admit(const Permission& permission, const Task& task);
  // All files that an edit changes, each with its diff.
  Result<void> admit_edit(const ApplyReport& report, Workspace& workspace, const Task& task);

  bool was_rejected() const { return rejected_; }  // by the user: the ask ends

 private:
  const Permissions& permissions_;
  Conversation& conversation_;
  Editor* editor_;
  bool rejected_ = false;
};

}  // namespace bodkin
