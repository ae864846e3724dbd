// Opening: the first message of an ask, in its conversation.
#pragma once

#include "agent/ask/ask.h"
#include "agent/context/profile.h"
#include "agent/context/prompt.h"
#include "agent/tools/dialect.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

struct Opening {
  Profile profile;
  const ToolDialect* dialect = nullptr;  // null: our own tools
  const EditFormat* format = nullptr;    // never null
  // Once the request was said:
  TemplateVariables variables = {};  // of its templates
  std::string note = {};             // for the user: what the window has no room for; or empty
};

// Returns what a request asks for that no file holds: uncommitted changes (@diff), and problems
// that no editor has reported. For the model, before the prompt; blocks. `room`: about how many
// bytes.
std::string facts_for(const Ask& ask, const Prompt& prompt, const Limits& limits,
                      GuardedWorkspace& guard, Workspace& shown, size_t room, const Task& task);

// Chooses the profile, the dialect and the edit format. `own_profiles`: the user's folder of them,
// or empty. `limits`: where commands run, and the window. `editor`: can allow commands without a
// sandbox; may be null. Errors, for the user: not_found, invalid_input, unavailable (commands
// cannot run).
Result<Opening> choose_opening(const Conversation& conversation, const Ask& ask, const Model& model,
                               const std::string& own_profiles, const Limits& limits,
                               Editor* editor);

// Adds the context and the request to the conversation. `shown`: the files as the model sees them.
// `what`: of the workspace, besides the request. `limits`: for git (@diff) and the known problems.
// `room`: the bytes of a request besides its tools; as much of the files is shown as fits. Errors,
// for the user, leaving the conversation unchanged: cancelled, not_found, invalid_input.
Result<void> say_request(Opening& opening, Conversation& conversation, const Ask& ask,
                         const Model& model, GuardedWorkspace& guard, Workspace& shown, Shown what,
                         const Limits& limits, size_t room, const Task& task);

}  // namespace bodkin
