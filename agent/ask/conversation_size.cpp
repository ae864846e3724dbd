#include "agent/ask/conversation_size.h"

#include <variant>

#include "agent/support/json.h"

namespace bodkin {

namespace {

size_t bytes_of(const nlohmann::json& value) {
  if (value.is_null()) return 0;
  return text_of_json(value).size();
}

}  // namespace

size_t bytes_of(const Conversation& conversation) {
  size_t bytes = conversation.system.size() + 100 * conversation.seen.size();
  for (const Message& message : conversation.messages) {
    for (const Block& block : message.blocks) {
      bytes += sizeof block;
      if (const auto* text = std::get_if<TextBlock>(&block)) {
        bytes += text->text.size() + bytes_of(text->provider_state);
      } else if (const auto* thought = std::get_if<ThinkingBlock>(&block)) {
        bytes += thought->text.size() + bytes_of(thought->provider_state);
      } else if (const auto* call = std::get_if<ToolCall>(&block)) {
        bytes += bytes_of(call->arguments) + bytes_of(call->provider_state);
      } else if (const auto* result = std::get_if<ToolResult>(&block)) {
        bytes += result->content.size();
      } else if (const auto* image = std::get_if<ImageBlock>(&block)) {
        bytes += image->base64.size();
      }
    }
  }
  return bytes;
}

}  // namespace bodkin
