// run: one ask, from the request to a draft. Reason, act, observe (agent/README.md, "Loop").
#pragma once

#include <string>
#include <string_view>

#include "agent/ask/ask.h"
#include "agent/sandbox/verifier.h"

namespace bodkin {

// Blocks. Never throws. `editor` (command line) and `verifier` may be null. Private files
// (agent/workspace/privacy.h) are neither read nor changed. However it ends, the conversation can
// continue: each tool call in it has exactly one result.
Outcome run(Conversation& conversation, const Ask& ask, Model& model, Workspace& workspace,
            Editor* editor, Verifier* verifier, const Limits& limits, const Task& task);

// The first prompt run() would send, as one text for any chat (bodkin.copyPrompt).
struct ChatPrompt {
  std::string text;
  std::string withheld;  // as in Outcome
};
Result<ChatPrompt> prompt_for(const Ask& ask, Workspace& workspace, const Task& task);

// Applies the edits in a chat's reply to a draft (bodkin.applyReply). `default_path` is for replies
// that name no file, or empty. An edit that cannot be placed gives `failed` with a reason for the
// user; text without edits gives `done` without files.
Outcome outcome_of_reply(std::string_view reply, const std::string& default_path,
                         Workspace& workspace, const Task& task);

}  // namespace bodkin
