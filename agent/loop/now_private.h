// What a conversation has that has become private since.
#pragma once

#include <string>

#include "agent/ask/ask.h"
#include "agent/workspace/privacy.h"

namespace bodkin {

// The path of a file that the model has read, or found something in, and that a .bodkinignore names
// by now; empty: none.
std::string now_private(const Conversation& conversation, GuardedWorkspace& guard,
                        const Task& task);

}  // namespace bodkin
