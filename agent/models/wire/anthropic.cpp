// Anthropic Messages, 2023-06-01 and 2026-10-21. No sampling parameters are sent: the newer version
// refuses them. Prompt caching: the tools and the system text, for an hour where that has a price,
// as reading a proposal takes longer than five minutes; and the conversation's end.
//
// Newer models sign a thought together with all that stood before it ("preserved thinking"), and
// refuse it behind another system text, other tools or other messages. So a thought keeps a hash of
// what it was the reply to, and is sent back only behind that.
#include <fmt/format.h>

#include <algorithm>

#include "agent/models/wire/wire_error.h"
#include "agent/models/wire/wire_format.h"
#include "agent/support/fnv1a.h"
#include "agent/support/json.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr size_t kMaxId = 64;
constexpr char kBoundTo[] = "bound_to";  // in the state of a thought

std::string url(const Wire& wire, const ModelRequest&) {
  return join_url(wire.base, "v1", "/messages");
}

std::string models_url(const Wire& wire) { return join_url(wire.base, "v1", "/models?limit=1000"); }

std::vector<std::string> headers(const Wire& wire) {
  std::vector<std::string> made = {"anthropic-version: " +
                                   (wire.api_version.empty() ? "2023-06-01" : wire.api_version)};
  if (!wire.key.empty())
    made.push_back((wire.bearer ? "Authorization: Bearer " : "x-api-key: ") + wire.key);
  return made;
}

// The hash of a request's messages so far, behind its model, system text and tools.
class Prefix {
 public:
  explicit Prefix(const json& body) {
    for (const char* key : {"model", "system", "tools"}) add(at(body, key));
  }
  void add(const json& part) { hash_ = fnv1a("\n", fnv1a(text_of_json(part), hash_)); }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  uint64_t hash_ = fnv1a("");
};

std::string bound_to(const Wire&, const json& body) {
  Prefix prefix(body);
  for (json message : body["messages"]) {
    message["content"].back().erase("cache_control");
    prefix.add(message);
  }
  return prefix.text();
}

// `prefix`: what the block would follow; "": no thought is sent.
bool is_left_out(const Block& block, const std::string& prefix) {
  const auto* thinking = std::get_if<ThinkingBlock>(&block);
  const std::string bound = thinking ? string_at(thinking->provider_state, kBoundTo) : "";
  return thinking && (prefix.empty() || (!bound.empty() && bound != prefix));
}

json block_of(const Block& block) {
  if (const auto* text = std::get_if<TextBlock>(&block))
    // White space alone is refused.
    return is_blank_text(text->text) ? json() : json{{"type", "text"}, {"text", text->text}};
  if (const auto* thinking = std::get_if<ThinkingBlock>(&block)) {
    if (const json& other = at(thinking->provider_state, "anthropic_block"); other.is_object())
      return other;
    const std::string type = string_at(thinking->provider_state, "type");
    if (type != "thinking" && type != "redacted_thinking") return {};
    json made = thinking->provider_state;
    made.erase(kBoundTo);
    return made;
  }
  if (const auto* call = std::get_if<ToolCall>(&block))
    return {{"type", "tool_use"},
            {"id", wire_id(call->id, kMaxId)},
            {"name", wire_name(call->name)},
            {"input", call->arguments}};
  if (const auto* image = std::get_if<ImageBlock>(&block))
    return {{"type", "image"},
            {"source",
             {{"type", "base64"}, {"media_type", image->media_type}, {"data", image->base64}}}};
  const auto& result = std::get<ToolResult>(block);
  json made = {{"type", "tool_result"},
               {"tool_use_id", wire_id(result.id, kMaxId)},
               {"content", result.content}};
  if (result.is_error) made["is_error"] = true;
  return made;
}

// The field is required. Enough for a whole file, and what every model accepts where none is known.
int default_max_tokens(const Wire& wire) {
  return static_cast<int>(std::min<int64_t>(wire.max_output.value_or(8192), 32000));
}

// Thoughts come empty unless they are asked for.
void put_effort(json& made, const Wire& wire, const std::string& effort) {
  const bool is_auto = effort == "auto", is_none = effort == "none";
  if (effort.empty() || wire.thinks == "never") return;
  if (wire.thinks.empty() && is_none) made["thinking"] = {{"type", "disabled"}};
  if (wire.thinks.empty() ? is_auto || is_none : wire.thinks == "unasked" && (is_auto || is_none))
    return;
  if (is_none && wire.thinks != "always")
    made["thinking"] = {{"type", wire.thinks}};
  else if (!wire.thinks.empty())
    made["thinking"] = {{"type", "adaptive"}, {"display", "summarized"}};
  if (!is_auto) made["output_config"] = {{"effort", is_none ? "low" : effort}};
}

json body(const Wire& wire, const ModelRequest& request) {
  const json cache = {{"type", "ephemeral"}};
  json made = {{"model", wire.model},
               {"max_tokens", request.max_tokens.value_or(default_max_tokens(wire))}};
  if (request.stream) made["stream"] = true;
  if (request.temperature) made["temperature"] = *request.temperature;
  if (!request.system.empty()) {
    json kept = cache;
    if (wire.keeps_an_hour) kept["ttl"] = "1h";
    made["system"] =
        json::array({{{"type", "text"}, {"text", request.system}, {"cache_control", kept}}});
  }
  if (!request.tools.empty()) {
    json tools = json::array();
    for (const ToolSpec& tool : request.tools)
      tools.push_back({{"name", tool.name},
                       {"description", tool.description},
                       {"input_schema", tool.parameters}});
    made["tools"] = std::move(tools);
  }
  put_effort(made, wire, request.effort);
  // If thinking is turned off, thoughts are refused.
  const bool takes_thoughts = string_at(at(made, "thinking"), "type") != "disabled";
  Prefix prefix(made);
  json messages = json::array();
  size_t hashed = 0;  // of them
  for (const Message& message : request.messages) {
    const char* role = message.role == Message::Role::user ? "user" : "assistant";
    if (message.role == Message::Role::assistant)
      for (; hashed < messages.size(); ++hashed) prefix.add(messages[hashed]);
    const std::string before = takes_thoughts ? prefix.text() : "";
    json blocks = json::array();
    for (const Block& block : message.blocks)
      if (json made_block = is_left_out(block, before) ? json() : block_of(block);
          !made_block.is_null())
        blocks.push_back(std::move(made_block));
    if (blocks.empty()) continue;
    // Two messages of one role in a row are one.
    if (!messages.empty() && messages.back()["role"] == role)
      for (json& block : blocks) messages.back()["content"].push_back(std::move(block));
    else
      messages.push_back({{"role", role}, {"content", std::move(blocks)}});
  }
  if (!messages.empty() && messages.back()["role"] == "user")
    messages.back()["content"].back()["cache_control"] = cache;
  made["messages"] = std::move(messages);
  return made;
}

// Cumulative: present values overwrite; no count decreases, although some servers end with a 0 for
// an earlier value.
void read_usage(ReplyBuilder& reply, const json& usage) {
  if (!usage.is_object()) return;
  json& sum = reply.scratch["usage"];
  for (const auto& [key, value] : usage.items())
    if (!value.is_null() && !(value == 0 && at(sum, key).is_number())) sum[key] = value;
  if (const json& made = at(sum, "cache_creation");
      made.is_object() && !at(sum, "cache_creation_input_tokens").is_number())
    sum["cache_creation_input_tokens"] =
        tokens_at(made, "ephemeral_5m_input_tokens") + tokens_at(made, "ephemeral_1h_input_tokens");
  Usage& to = reply.usage;
  to.cache_read = tokens_at(sum, "cache_read_input_tokens");
  to.cache_write = tokens_at(sum, "cache_creation_input_tokens");
  to.cache_write_hour = tokens_at(at(sum, "cache_creation"), "ephemeral_1h_input_tokens");
  to.input = tokens_at(sum, "input_tokens") + to.cache_read + to.cache_write;
  to.output = tokens_at(sum, "output_tokens");
  to.reasoning = tokens_at(at(sum, "output_tokens_details"), "thinking_tokens");
}

// Why the model refused: an explanation, or only the policy's name.
void read_refusal(ReplyBuilder& reply, const json& message) {
  const json& details = at(message, "stop_details");
  reply.refusal = string_at(details, "explanation");
  if (reply.refusal.empty()) reply.refusal = string_at(details, "category");
}

void read_stop(ReplyBuilder& reply, const json& delta) {
  const std::string reason = string_at(delta, "stop_reason");
  if (reason.empty()) return;
  // The reply is complete at message_stop, not here.
  reply.scratch["stop"] = reason;
  read_refusal(reply, delta);
}

StopReason stop_reason_of(const std::string& reason) {
  return reason == "end_turn" || reason == "stop_sequence" ? StopReason::end_turn
         : reason == "tool_use"                            ? StopReason::tool_use
         : reason == "max_tokens" || reason == "model_context_window_exceeded"
             ? StopReason::max_tokens
         : reason == "refusal" ? StopReason::refusal
                               : StopReason::other;
}

using Kind = ReplyBuilder::Kind;

void begin_block(ReplyBuilder& reply, int64_t index, const json& block) {
  const std::string type = string_at(block, "type");
  if (type == "text" || type.empty()) {
    reply.add(reply.append(Kind::text, index), string_at(block, "text"));
  } else if (type == "thinking" || type == "redacted_thinking") {
    ReplyBuilder::Part& part = reply.append(Kind::thinking, index);
    part.provider_state = block;
    if (type == "thinking") reply.add(part, string_at(block, "thinking"));
  } else if (type == "tool_use") {
    ReplyBuilder::Part& part = reply.append(Kind::call, index);
    part.call.id = string_at(block, "id");
    part.call.name = string_at(block, "name");
    const json& input = at(block, "input");
    if (input.is_object() && !input.empty()) {
      part.call.arguments = input;
      part.whole = true;
    }
  } else {  // the provider's own tools and unknown types: sent back unchanged
    reply.append(Kind::thinking, index).provider_state = {{"anthropic_block", block}};
  }
}

void read_delta(ReplyBuilder& reply, int64_t index, const json& delta) {
  const std::string type = string_at(delta, "type");
  if (type == "text_delta") {
    reply.add(reply.part(Kind::text, index), string_at(delta, "text"));
  } else if (type == "thinking_delta") {
    ReplyBuilder::Part& part = reply.part(Kind::thinking, index);
    if (part.provider_state.is_null()) part.provider_state = {{"type", "thinking"}};
    reply.add(part, string_at(delta, "thinking"));
  } else if (type == "signature_delta") {
    ReplyBuilder::Part& part = reply.part(Kind::thinking, index);
    if (part.provider_state.is_null()) part.provider_state = {{"type", "thinking"}};
    part.provider_state["signature"] = at(delta, "signature");
  } else if (type == "input_json_delta") {
    const std::string piece = string_at(delta, "partial_json");
    if (ReplyBuilder::Part* part = reply.find(Kind::call, index); part && !piece.empty()) {
      part->whole = false;
      reply.add(*part, piece);
    } else if (!part) {
      json& all = reply.scratch["input"][std::to_string(index)];
      all = (all.is_string() ? all.get<std::string>() : "") + piece;
    }
  }
}

void end_thinking(ReplyBuilder& reply) {
  for (ReplyBuilder::Part& part : reply.parts) {
    if (part.kind == Kind::thinking && string_at(part.provider_state, "type") == "thinking")
      part.provider_state["thinking"] = part.content;
    const bool is_signed = !string_at(part.provider_state, "signature").empty() ||
                           string_at(part.provider_state, "type") == "redacted_thinking";
    if (part.kind == Kind::thinking && is_signed && !reply.bound_to.empty())
      part.provider_state[kBoundTo] = reply.bound_to;
    const std::string input = string_at(at(reply.scratch, "input"), std::to_string(part.slot));
    if (part.kind == Kind::thinking && part.provider_state.contains("anthropic_block") &&
        !input.empty())
      if (auto parsed = parse_wire_json(input))
        part.provider_state["anthropic_block"]["input"] = *parsed;
  }
}

void read(ReplyBuilder& reply, std::string_view event, const json& data) {
  std::string type = string_at(data, "type");
  if (type.empty()) type = event;
  if (type == "message_start") {
    read_usage(reply, at(at(data, "message"), "usage"));
  } else if (type == "content_block_start") {
    begin_block(reply, int_at(data, "index"), at(data, "content_block"));
  } else if (type == "content_block_delta") {
    read_delta(reply, int_at(data, "index"), at(data, "delta"));
  } else if (type == "message_delta") {
    read_stop(reply, at(data, "delta"));
    read_usage(reply, at(data, "usage"));
  } else if (type == "message_stop") {
    reply.stop = stop_reason_of(string_at(reply.scratch, "stop"));
    end_thinking(reply);
    reply.ended = true;
  } else if (type == "error") {
    reply.fail(error_of_stream(data));
  }
}

void read_whole(ReplyBuilder& reply, const json& data) {
  const json& content = at(data, "content");
  if (content.is_array())
    for (size_t i = 0; i < content.size(); ++i) begin_block(reply, i, content[i]);
  if (const std::string reason = string_at(data, "stop_reason"); !reason.empty())
    reply.stop = stop_reason_of(reason);
  read_refusal(reply, data);
  read_usage(reply, at(data, "usage"));
  end_thinking(reply);
}

}  // namespace

const WireFormat kAnthropic = {"anthropic", false, url,        headers, models_url,
                               body,        read,  read_whole, true,    bound_to};

}  // namespace bodkin
