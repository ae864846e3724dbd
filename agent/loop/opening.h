// Opening: the first message of an ask, in its conversation.
#pragma once

#include "agent/ask/ask.h"
#include "agent/context/profile.h"
#include "agent/tools/dialect.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

struct Opening {
  Profile profile;
  const ToolDialect* dialect = nullptr;  // null: our own tools
};

// Chooses the profile and the dialect, which are returned, and adds what the model is told of the
// place and asked for. `shown`: the files as the model sees them. Errors, for the user, with the
// conversation as it was: cancelled, not_found, invalid_input.
Result<Opening> open_ask(Conversation& conversation, const Ask& ask, const Model& model,
                         GuardedWorkspace& guard, Workspace& shown, const Task& task);

}  // namespace bodkin
