#include "agent/loop/conversation_messages.h"

#include <utility>

namespace bodkin {

std::string text_of(const Message& message) {
  std::string text;
  for (const Block& block : message.blocks) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  }
  return text;
}

std::vector<ToolCall> calls_of(const Message& message) {
  std::vector<ToolCall> calls;
  for (const Block& block : message.blocks) {
    if (const auto* call = std::get_if<ToolCall>(&block)) calls.push_back(*call);
  }
  return calls;
}

void say(Conversation& conversation, Block block) {
  if (conversation.messages.empty() || conversation.messages.back().role != Message::Role::user) {
    conversation.messages.push_back({Message::Role::user, {}});
  }
  conversation.messages.back().blocks.push_back(std::move(block));
}

void say(Conversation& conversation, std::string text) {
  say(conversation, TextBlock{std::move(text)});
}

}  // namespace bodkin
