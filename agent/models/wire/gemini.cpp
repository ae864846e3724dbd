// Gemini's generateContent, v1 or v1beta. A thought signature goes back on the part it came with;
// models from 3 on reject a call without it, and one of another model: the first call of such a
// reply goes with the documented word for none. A call's id is sent back only if there was one.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "agent/models/wire/wire_format.h"

namespace bodkin {
namespace {

using nlohmann::json;
using Kind = ReplyBuilder::Kind;

std::string version_of(const Wire& wire) {
  return wire.base.ends_with("/v1beta") ? "v1beta"
         : wire.api_version.empty()     ? "v1"
                                        : wire.api_version;
}

std::string url(const Wire& wire, const ModelRequest& request) {
  const std::string version = version_of(wire);
  const std::string model =
      wire.model.find('/') == std::string::npos ? "models/" + wire.model : wire.model;
  return join_url(wire.base, version, "/" + model) +
         (request.stream ? ":streamGenerateContent?alt=sse" : ":generateContent");
}

std::string models_url(const Wire& wire) {
  return join_url(wire.base, version_of(wire), "/models?pageSize=1000");
}

std::vector<std::string> headers(const Wire& wire) {
  if (wire.key.empty()) return {};
  return {"x-goog-api-key: " + wire.key};
}

constexpr char kModel[] = "model";  // in the state, beside the signature that it made

const json& signature_in(const json& state, const Wire& wire) {
  static const json kNone;
  const std::string model = string_at(state, kModel);
  return model.empty() || model == wire.model ? at(state, "thoughtSignature") : kNone;
}

void put_signature(json& part, const json& state, const Wire& wire) {
  if (const json& signature = signature_in(state, wire); signature.is_string())
    part["thoughtSignature"] = signature;
}

void keep_signature(ReplyBuilder& reply, json& state, const json& part) {
  const json& signature = at(part, "thoughtSignature");
  if (!signature.is_string()) return;
  state["thoughtSignature"] = signature;
  if (!reply.bound_to.empty()) state[kModel] = reply.bound_to;
}

std::string bound_to(const Wire& wire, const json&) { return wire.model; }

// Thoughts come only if they are asked for. From 3 on the effort has a name, before it is a number
// of tokens.
json thinking_of(const Wire& wire, const std::string& effort) {
  const double made = gemini_generation(wire);
  if (effort.empty() || wire.thinks == "never" || (made < 2.5 && (made > 0 || effort == "auto")))
    return {};
  const bool is_pro = wire.model.find("-pro") != std::string::npos;
  json thinking = {{"includeThoughts", effort != "none"}};
  if (effort == "auto") return thinking;
  if (made == 2.5)
    thinking["thinkingBudget"] = effort == "none"     ? (is_pro ? 128 : 0)
                                 : effort == "low"    ? 1024
                                 : effort == "medium" ? 8192
                                                      : 24576;
  else
    thinking["thinkingLevel"] = effort == "none"  ? (is_pro ? "low" : "minimal")
                                : effort == "max" ? "high"
                                                  : effort;
  return thinking;
}

bool has_id(const ToolCall& call) { return at(call.provider_state, "id") != json(false); }

json part_of(const Block& block, const Wire& wire, const ModelRequest& request) {
  if (const auto* text = std::get_if<TextBlock>(&block)) {
    json made = {{"text", text->text}};
    put_signature(made, text->provider_state, wire);
    return text->text.empty() && !made.contains("thoughtSignature") ? json() : made;
  }
  if (const auto* thinking = std::get_if<ThinkingBlock>(&block)) {
    if (!signature_in(thinking->provider_state, wire).is_string()) return {};
    json made = {{"text", thinking->text}, {"thought", true}};
    put_signature(made, thinking->provider_state, wire);
    return made;
  }
  if (const auto* call = std::get_if<ToolCall>(&block)) {
    json function = {{"name", wire_name(call->name)}, {"args", call->arguments}};
    if (has_id(*call)) function["id"] = call->id;
    json made = {{"functionCall", std::move(function)}};
    put_signature(made, call->provider_state, wire);
    return made;
  }
  if (const auto* image = std::get_if<ImageBlock>(&block))
    return {{"inlineData", {{"mimeType", image->media_type}, {"data", image->base64}}}};
  if (const auto* result = std::get_if<ToolResult>(&block)) {
    std::string name = result->name;
    bool with_id = true;
    for (const Message& message : request.messages)
      for (const Block& other : message.blocks)
        if (const auto* call = std::get_if<ToolCall>(&other); call && call->id == result->id) {
          with_id = has_id(*call);
          if (name.empty()) name = call->name;
        }
    json response = {{"name", wire_name(name)},
                     {"response", {{result->is_error ? "error" : "output", result->content}}}};
    if (with_id) response["id"] = result->id;
    return {{"functionResponse", std::move(response)}};
  }
  return {};
}

json body(const Wire& wire, const ModelRequest& request) {
  json contents = json::array();
  for (const Message& message : request.messages) {
    json parts = json::array();
    bool is_first_call = true;
    for (const Block& block : message.blocks) {
      json part = part_of(block, wire, request);
      if (part.is_null()) continue;
      if (std::exchange(is_first_call, is_first_call && !part.contains("functionCall")) &&
          part.contains("functionCall") && !part.contains("thoughtSignature") &&
          needs_signatures(wire))
        part["thoughtSignature"] = kNoSignature;
      parts.push_back(std::move(part));
    }
    if (parts.empty()) continue;
    const char* role = message.role == Message::Role::user ? "user" : "model";
    // Consecutive messages of one role are merged: the results of a turn's calls belong together.
    if (!contents.empty() && contents.back()["role"] == role)
      for (json& part : parts) contents.back()["parts"].push_back(std::move(part));
    else
      contents.push_back({{"role", role}, {"parts", std::move(parts)}});
  }
  json made = {{"contents", std::move(contents)}};
  if (!request.system.empty())
    made["systemInstruction"] = {{"role", "user"}, {"parts", {{{"text", request.system}}}}};
  if (!request.tools.empty()) {
    json functions = json::array();
    for (const ToolSpec& tool : request.tools)
      functions.push_back({{"name", tool.name},
                           {"description", tool.description},
                           {"parametersJsonSchema", tool.parameters}});
    made["tools"] = json::array({{{"functionDeclarations", std::move(functions)}}});
    made["toolConfig"] = {{"functionCallingConfig", {{"mode", "AUTO"}}}};
  }
  if (request.max_tokens) made["generationConfig"]["maxOutputTokens"] = *request.max_tokens;
  if (request.temperature) made["generationConfig"]["temperature"] = *request.temperature;
  if (json thinking = thinking_of(wire, request.effort); !thinking.is_null())
    made["generationConfig"]["thinkingConfig"] = std::move(thinking);
  return made;
}

// Vertex streams arguments as pieces with a JSON path: "$.files[0].path".
void put_at_path(json& root, std::string_view path, const json& piece) {
  json* to = &root;
  if (path.starts_with('$')) path.remove_prefix(1);
  while (!path.empty()) {
    if (path[0] == '.') {
      path.remove_prefix(1);
      const size_t end = std::min(path.find_first_of(".["), path.size());
      if (!to->is_object()) *to = json::object();
      to = &(*to)[std::string(path.substr(0, end))];
      path.remove_prefix(end);
    } else if (path[0] == '[') {
      const size_t end = path.find(']');
      if (end == path.npos) return;
      std::string_view key = path.substr(1, end - 1);
      path.remove_prefix(end + 1);
      if (key.size() >= 2 && (key.front() == '\'' || key.front() == '"')) {
        if (!to->is_object()) *to = json::object();
        to = &(*to)[std::string(key.substr(1, key.size() - 2))];
      } else {
        const size_t index = std::strtoul(std::string(key).c_str(), nullptr, 10);
        if (!to->is_array()) *to = json::array();
        if (index > to->size()) return;  // they come in order; a gap could be of any size
        if (index == to->size()) to->push_back(nullptr);
        to = &(*to)[index];
      }
    } else {
      return;
    }
  }
  if (const json& text = at(piece, "stringValue"); text.is_string()) {
    if (!to->is_string()) *to = "";
    to->get_ref<std::string&>() += text.get_ref<const std::string&>();
  } else if (const json& number = at(piece, "numberValue"); number.is_number())
    *to = number;
  else if (const json& truth = at(piece, "boolValue"); truth.is_boolean())
    *to = truth;
  else if (piece.contains("nullValue"))
    *to = nullptr;
}

void read_call(ReplyBuilder& reply, const json& part, const json& call) {
  const std::string name = string_at(call, "name");
  const bool continues = at(reply.scratch, "open") == json(true);
  ReplyBuilder::Part* target = continues && name.empty() ? reply.last(Kind::call) : nullptr;
  if (!target) {
    if (name.empty()) return;
    target = &reply.append(Kind::call, -1);
    target->whole = true;
    target->call.name = name;
    target->call.id = string_at(call, "id");
    target->provider_state = {{"id", !target->call.id.empty()}};
  }
  keep_signature(reply, target->provider_state, part);
  const json& args = at(call, "args");
  if (args.is_object()) target->call.arguments = args;
  if (args.is_string()) {
    target->whole = false;
    reply.add(*target, args.get_ref<const std::string&>());
  }
  if (const json& pieces = at(call, "partialArgs"); pieces.is_array())
    for (const json& piece : pieces)
      if (reply.should_continue())
        put_at_path(target->call.arguments, string_at(piece, "jsonPath"), piece);
  reply.scratch["open"] = at(call, "willContinue") == json(true);
}

void read_part(ReplyBuilder& reply, const json& part) {
  if (const json& call = at(part, "functionCall"); call.is_object())
    return read_call(reply, part, call);
  const std::string text = string_at(part, "text");
  if (at(part, "thought") == json(true)) {
    reply.thinking(text);
    if (ReplyBuilder::Part* open = reply.last(Kind::thinking))
      keep_signature(reply, open->provider_state, part);
    return;
  }
  if (at(part, "thoughtSignature").is_string()) {
    ReplyBuilder::Part& made = reply.append(Kind::text, -1);
    reply.add(made, text);
    made.provider_state = json::object();
    return keep_signature(reply, made.provider_state, part);
  }
  reply.text(text);
}

StopReason stop_reason_of(const std::string& reason) {
  if (reason == "STOP") return StopReason::end_turn;
  if (reason == "MAX_TOKENS") return StopReason::max_tokens;
  for (const char* refused :
       {"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "LANGUAGE",
        "IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"})
    if (reason == refused) return StopReason::refusal;
  return StopReason::other;
}

void read(ReplyBuilder& reply, std::string_view, const json& data) {
  const json& candidates = at(data, "candidates");
  if (candidates.is_array())
    for (const json& candidate : candidates) {
      if (int_at(candidate, "index") != 0) continue;
      const json& parts = at(at(candidate, "content"), "parts");
      if (parts.is_array())
        for (const json& part : parts)
          if (reply.should_continue()) read_part(reply, part);
      const std::string reason = string_at(candidate, "finishReason");
      if (reason.empty() || reason == "FINISH_REASON_UNSPECIFIED") continue;
      reply.stop = stop_reason_of(reason);
      if (reply.stop == StopReason::refusal) reply.refusal = string_at(candidate, "finishMessage");
    }
  const json& feedback = at(data, "promptFeedback");
  if (const std::string blocked = string_at(feedback, "blockReason"); !blocked.empty()) {
    reply.stop = StopReason::refusal;
    const std::string words = string_at(feedback, "blockReasonMessage");
    reply.refusal = "The prompt was blocked: " + (words.empty() ? blocked : words);
  }
  if (const json& usage = at(data, "usageMetadata"); usage.is_object()) {
    json& sum = reply.scratch["usage"];
    sum.update(usage);
    reply.usage.input = tokens_at(sum, "promptTokenCount");
    reply.usage.cache_read = tokens_at(sum, "cachedContentTokenCount");
    reply.usage.reasoning = tokens_at(sum, "thoughtsTokenCount");
    reply.usage.output = tokens_at(sum, "candidatesTokenCount") + reply.usage.reasoning;
  }
}

void read_whole(ReplyBuilder& reply, const json& data) {
  if (!data.is_array()) return read(reply, "", data);
  for (const json& chunk : data)
    if (reply.should_continue()) read(reply, "", chunk);
}

}  // namespace

const WireFormat kGemini = {
    "gemini", false, url, headers, models_url, body, read, read_whole, /*takes_gif=*/false,
    bound_to};

}  // namespace bodkin
