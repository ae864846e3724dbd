// AskParts: what one ask works with, put together: its draft, and what sends requests, runs calls
// and commands, places edits and ends it.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "agent/loop/call_runner.h"
#include "agent/loop/ending.h"
#include "agent/loop/missing_edits.h"
#include "agent/loop/requests.h"
#include "agent/loop/run.h"
#include "agent/loop/shell_replies.h"
#include "agent/loop/text_replies.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/tools.h"

namespace bodkin {

class AskParts {
 public:
  // All outlive this.
  AskParts(Conversation& conversation, const Ask& ask, const AskContext& context);

 protected:
  Conversation& conversation_;
  const Ask& ask_;
  Model& model_;
  Editor* editor_;
  Limits limits_;
  const std::string& own_profiles_;
  const Task& task_;
  GuardedWorkspace guard_;
  std::set<std::string, std::less<>> unread_;  // replaced as a whole
  Draft draft_;
  RedactedWorkspace shown_;
  Gate gate_;
  std::unique_ptr<Syntax> syntax_;
  CommandFiles left_;
  ToolBench bench_;
  Placer placer_;
  FailedEdits failed_;
  CallRunner calls_;
  Profile profile_;
  ShellReplies shell_;
  TextReplies texts_;
  Requests requests_;
  Ending ending_;
  MissingEdits missing_;
};

}  // namespace bodkin
