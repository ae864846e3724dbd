// Reading the messages of a conversation, and adding to it.
#pragma once

#include <string>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

std::string text_of(const Message& message);
std::vector<ToolCall> calls_of(const Message& message);

// Adds to the user's side; consecutive messages of one side are merged.
void say(Conversation& conversation, Block block);
void say(Conversation& conversation, std::string text);

}  // namespace bodkin
