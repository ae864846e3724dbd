// What a conversation's messages hold, and how words are added to it.
#pragma once

#include <string>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

std::string text_of(const Message& message);
std::vector<ToolCall> calls_of(const Message& message);

// As the user's side. Two messages of one side in a row are one message.
void say(Conversation& conversation, Block block);
void say(Conversation& conversation, std::string text);

}  // namespace bodkin
