// run: one ask, from the request to a draft. Reason, act, observe (agent/README.md, "Loop").
#pragma once

#include <string>
#include <string_view>

#include "agent/ask/ask.h"
#include "agent/ask/draft_model.h"
#include "agent/sandbox/verifier.h"

namespace bodkin {

// The world that an ask works in. All of it outlives the ask.
struct AskContext {
  Model& model;
  Workspace& workspace;
  Editor* editor = nullptr;      // null if there is none, and nobody can be asked for permission
  Verifier* verifier = nullptr;  // null: nobody checks the draft
  Limits limits = {};
  Task task = {};
  std::string own_profiles = {};            // the user's folder of them; empty if there is none
  const DraftModel* draft_model = nullptr;  // null: sketches are finished by `model`
};

// Blocks. Never throws. Private files (agent/workspace/privacy.h) are neither read nor changed.
// However it ends, the conversation can continue: each tool call in it has exactly one result.
Outcome run(Conversation& conversation, const Ask& ask, const AskContext& context);

// The first prompt run() would send, as one text for any chat (bodkin.copyPrompt). Blocks.
struct ChatPrompt {
  std::string text;
  std::string withheld;  // as in Outcome
};
Result<ChatPrompt> prompt_for(const Ask& ask, Workspace& workspace, const Limits& limits,
                              const Task& task);

// Applies the edits in a chat's reply to a draft (bodkin.applyReply). `default_path` is for replies
// that name no file, or empty. An edit that cannot be placed gives `failed` with a reason for the
// user, and in the notes what can be sent back to the model; text without edits, or with edits that
// are all in place, gives `done` without files and a reason that says so. What was ignored to place
// an edit is in the notes, as `bodkin apply` prints it.
Outcome outcome_of_reply(std::string_view reply, const std::string& default_path,
                         Workspace& workspace, const Task& task);

}  // namespace bodkin
