// Opening: the first message of an ask, in its conversation.
#pragma once

#include "agent/ask/ask.h"
#include "agent/context/profile.h"
#include "agent/sandbox/shell.h"
#include "agent/tools/dialect.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

struct Opening {
  Profile profile;
  TemplateVariables variables;           // of its templates
  const ToolDialect* dialect = nullptr;  // null: our own tools
  const EditFormat* format = nullptr;    // never null
};

// Chooses the profile, the dialect and the edit format, and adds the context and the request
// to the conversation. `own_profiles`: the user's folder of them, or empty. `shown`: the files as
// the model sees them. `shell`: where commands run, and git for @diff, or null. `editor`: who could
// allow them without a sandbox, or null. Errors, for the user, leaving the conversation unchanged:
// cancelled, not_found, invalid_input, unavailable (commands cannot run).
Result<Opening> open_ask(Conversation& conversation, const Ask& ask, const Model& model,
                         const std::string& own_profiles, GuardedWorkspace& guard, Workspace& shown,
                         const Shell* shell, Editor* editor, const Task& task);

}  // namespace bodkin
