// Ollama's own protocol: NDJSON, arguments as objects. num_ctx is always sent: the server's default
// is small, and what does not fit is cut off silently.

#include "agent/models/wire/wire_format.h"

namespace bodkin {
namespace {

using nlohmann::json;
using Kind = ReplyBuilder::Kind;

std::string url(const Wire& wire, const ModelRequest&) { return wire.base + "/api/chat"; }

std::string models_url(const Wire& wire) { return wire.base + "/api/tags"; }

void add_message(json& messages, const Message& message) {
  json made = {{"role", message.role == Message::Role::user ? "user" : "assistant"}};
  std::string text, thinking;
  json calls = json::array(), images = json::array();
  bool only_results = true;
  for (const Block& block : message.blocks) {
    if (const auto* result = std::get_if<ToolResult>(&block)) {
      messages.push_back({{"role", "tool"},
                          {"tool_name", wire_name(result->name)},
                          {"tool_call_id", result->id},
                          {"content", result->content}});
      continue;
    }
    only_results = false;
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
    if (const auto* part = std::get_if<ThinkingBlock>(&block)) thinking += part->text;
    if (const auto* image = std::get_if<ImageBlock>(&block)) images.push_back(image->base64);
    if (const auto* call = std::get_if<ToolCall>(&block))
      calls.push_back({{"id", call->id},
                       {"function",
                        {{"index", calls.size()},
                         {"name", wire_name(call->name)},
                         {"arguments", call->arguments}}}});
  }
  if (only_results) return;
  made["content"] = text;
  if (!thinking.empty()) made["thinking"] = thinking;
  if (!calls.empty()) made["tool_calls"] = std::move(calls);
  if (!images.empty()) made["images"] = std::move(images);
  messages.push_back(std::move(made));
}

json body(const Wire& wire, const ModelRequest& request) {
  json messages = json::array();
  if (!request.system.empty())
    messages.push_back({{"role", "system"}, {"content", request.system}});
  for (const Message& message : request.messages) add_message(messages, message);
  json options = {{"num_ctx", wire.window.value_or(kOllamaWindow)}};
  if (request.max_tokens) options["num_predict"] = *request.max_tokens;
  if (request.temperature) options["temperature"] = *request.temperature;
  json made = {
      {"model", wire.model},
      {"stream", request.stream},
      {"truncate", false},  // an error if the prompt does not fit; otherwise it is cut silently
      {"messages", std::move(messages)},
      {"options", std::move(options)}};
  // A model that can think does so by itself, and its thoughts are there.
  if (const std::string& effort = request.effort; !effort.empty() && effort != "auto") {
    if (wire.model.find("gpt-oss") == std::string::npos)
      made["think"] = effort != "none";
    else  // has levels, and always thinks
      made["think"] = effort == "none" ? "low" : effort == "max" ? "high" : effort;
  }
  if (!request.tools.empty()) made["tools"] = function_tools(request.tools);
  return made;
}

void read(ReplyBuilder& reply, std::string_view, const json& data) {
  const json& message = at(data, "message");
  reply.thinking(string_at(message, "thinking"));
  reply.text(string_at(message, "content"));
  if (const json& calls = at(message, "tool_calls"); calls.is_array())
    for (const json& call : calls) {
      if (!reply.should_continue()) return;
      const json& function = at(call, "function");
      ReplyBuilder::Part& part = reply.append(Kind::call, -1);
      part.call.id = string_at(call, "id");
      part.call.name = string_at(function, "name");
      const json& arguments = at(function, "arguments");
      if (arguments.is_string()) {
        reply.add(part, arguments.get_ref<const std::string&>());
      } else {
        part.call.arguments = arguments.is_object() ? arguments : json::object();
        part.whole = true;
      }
    }
  if (at(data, "done") != json(true)) return;
  const std::string reason = string_at(data, "done_reason");
  reply.stop = reason == "length"                   ? StopReason::max_tokens
               : reason == "stop" || reason.empty() ? StopReason::end_turn
                                                    : StopReason::other;
  reply.usage.input = tokens_at(data, "prompt_eval_count");
  reply.usage.output = tokens_at(data, "eval_count");
  reply.ended = true;
}

void read_whole(ReplyBuilder& reply, const json& data) { read(reply, "", data); }

}  // namespace

const WireFormat kOllama = {"ollama", true, url, bearer_header, models_url, body, read, read_whole};

}  // namespace bodkin
