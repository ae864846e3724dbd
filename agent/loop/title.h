// A title for a session, by a plain request besides its conversation.
#pragma once

#include <string>

#include "agent/ask/limits.h"

namespace bodkin {

// A few words, in one line, for what `prompt`, the session's first request, is about. Blocks.
// `spent` gets what it cost, also if it failed. Error, for the log: unavailable (the provider
// failed, or gave no title).
Result<std::string> make_title(Model& model, const std::string& prompt, Spent& spent,
                               const Task& task);

}  // namespace bodkin
