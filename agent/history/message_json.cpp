#include "agent/history/message_json.h"

#include <utility>

#include "agent/history/hidden.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"

namespace bodkin {

namespace {

using nlohmann::json;

json state_without_secrets(const json& state) {
  if (state.is_null()) return nullptr;
  return without_secret_bytes(state) == state ? state : json();
}

json data_with(const json& state) {
  json data = json::object();
  if (json kept = state_without_secrets(state); !kept.is_null()) data["state"] = std::move(kept);
  return data;
}

const json& state_in(const json& data) { return at(data, "state"); }

}  // namespace

MessagePart part_of(const Block& block) {
  if (const auto* text = std::get_if<TextBlock>(&block))
    return {"text", without_secret_bytes(text->text), "", data_with(text->provider_state)};
  if (const auto* thought = std::get_if<ThinkingBlock>(&block))
    return {"thinking", without_secret_bytes(thought->text), "",
            data_with(thought->provider_state)};
  if (const auto* call = std::get_if<ToolCall>(&block)) {
    MessagePart part{"call", "", text_of_json(without_secret_bytes(call->arguments)),
                     data_with(call->provider_state)};
    part.data["id"] = call->id;
    part.data["name"] = call->name;
    if (!call->malformed.empty()) part.data["malformed"] = without_secret_bytes(call->malformed);
    return part;
  }
  if (const auto* result = std::get_if<ToolResult>(&block))
    return {"result",
            "",
            without_secret_bytes(result->content),
            {{"id", result->id}, {"name", result->name}, {"failed", result->is_error}}};
  const auto& image = std::get<ImageBlock>(block);
  return {"image", "", image.base64, {{"type", image.media_type}}};
}

std::optional<Block> block_of(const MessagePart& part) {
  const json& data = part.data;
  if (part.kind == "text") return TextBlock{part.text, state_in(data)};
  if (part.kind == "thinking") return ThinkingBlock{part.text, state_in(data)};
  if (part.kind == "call") {
    auto arguments = parse_json(part.content);
    if (!arguments) return std::nullopt;
    if (!arguments->is_object()) arguments = json::object();
    return ToolCall{string_at(data, "id"), string_at(data, "name"), *std::move(arguments),
                    state_in(data), string_at(data, "malformed")};
  }
  if (part.kind == "result")
    return ToolResult{string_at(data, "id"), string_at(data, "name"), part.content,
                      at(data, "failed") == true};
  if (part.kind == "image") return ImageBlock{string_at(data, "type"), part.content};
  return std::nullopt;
}

}  // namespace bodkin
