// Reading the messages of a conversation, and adding to it.
#pragma once

#include <string>
#include <vector>

#include "agent/ask/ask.h"

namespace bodkin {

// A reply that was cut off at the length limit: why it counts as a failure, and the messages for
// the user and the model.
inline constexpr char kWasCut[] = "The reply was cut off at the length limit.";
inline constexpr char kDiscardedTruncatedReply[] =
    "The reply was cut off and is discarded; telling the model";
inline constexpr char kCutReply[] =
    "Your reply was cut off at the length limit, and none of it was used. Send it again, in "
    "smaller parts.";

// The end of a message that holds what had arrived of a reply that broke off.
inline constexpr char kUnusedReply[] = "; none of it was used.]";

std::string text_of(const Message& message);
std::vector<ToolCall> calls_of(const Message& message);

// Adds to the user's side; consecutive messages of one side are merged.
void say(Conversation& conversation, Block block);
void say(Conversation& conversation, std::string text);

}  // namespace bodkin
