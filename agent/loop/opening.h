// Opening: the first message of an ask, in its conversation.
#pragma once

#include "agent/ask/ask.h"
#include "agent/context/profile.h"
#include "agent/context/prompt.h"
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

// What a request asks for that no file holds: uncommitted changes (@diff), and problems that no
// editor has reported. For the model, before the prompt; blocks.
std::string facts_for(const Ask& ask, const Prompt& prompt, const Limits& limits,
                      GuardedWorkspace& guard, Workspace& shown, const Task& task);

// Chooses the profile, the dialect and the edit format, and adds the context and the request
// to the conversation. `own_profiles`: the user's folder of them, or empty. `shown`: the files as
// the model sees them. `what`: of the workspace, beside the request. `limits`: where commands run,
// git for @diff, and who knows problems. `editor`: who could allow them without a sandbox, or null.
// Errors, for the user, leaving the conversation unchanged: cancelled, not_found, invalid_input,
// unavailable (commands cannot run).
Result<Opening> open_ask(Conversation& conversation, const Ask& ask, const Model& model,
                         const std::string& own_profiles, GuardedWorkspace& guard, Workspace& shown,
                         Shown what, const Limits& limits, Editor* editor, const Task& task);

}  // namespace bodkin
