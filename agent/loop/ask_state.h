// AskState: what the parts of one ask work on (run.cpp names the parts): the conversation, the
// draft, and what else they all read and change.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "agent/context/profile.h"
#include "agent/loop/failed_edits.h"
#include "agent/loop/run.h"
#include "agent/placing/placing.h"
#include "agent/tools/command_changes.h"
#include "agent/tools/tools.h"

namespace bodkin {

struct AskState {
  // All outlive this.
  AskState(Conversation& conversation, const Ask& ask, const AskContext& context);

  void report(Progress::Kind kind, std::string text) const {
    if (task.report) task.report({kind, std::move(text)});
  }
  bool is_stopped() const { return task.stop.stop_requested(); }

  Conversation& conversation;
  const Ask& ask;
  const AskContext& context;
  Model& model;
  Editor* const editor;  // may be null
  Limits limits;         // of the context, until the user raises one
  const Task& task;
  GuardedWorkspace guard;
  std::set<std::string, std::less<>> unread;  // replaced as a whole
  Draft draft;
  RedactedWorkspace shown;  // the draft as the model sees it
  Gate gate;
  const std::unique_ptr<Syntax> syntax;
  CommandFiles left;
  ToolBench bench;
  Placer placer;
  FailedEdits failed;
  Profile profile;
};

}  // namespace bodkin
