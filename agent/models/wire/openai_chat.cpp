// OpenAI Chat Completions and all that is compatible: llama.cpp, vLLM, LM Studio, OpenRouter,
// DeepSeek, Mistral, Groq, Azure. They differ in: where reasoning is (reasoning, reasoning_content,
// reasoning_details, an array of content chunks), whether tool calls have an index, an id, or their
// arguments as an object, and what comes after the finish_reason.
#include "agent/models/wire/wire_error.h"
#include "agent/models/wire/wire_format.h"
#include "agent/support/json.h"
#include "agent/support/url.h"
#include "edits/text/line_keys.h"

namespace bodkin {
namespace {

using nlohmann::json;

// Azure's two forms: {resource}/openai/v1/…, and with a version the older one, which names the
// model's deployment: {resource}/openai/deployments/{model}/…?api-version=2024-10-21.
std::string url(const Wire& wire, const ModelRequest&) {
  std::string base = wire.base, version = wire.api_version;
  if (wire.azure && base == origin_of(base))
    base += version.empty() ? "/openai/v1" : "/openai/deployments/" + wire.model;
  if (wire.azure && version.empty() && base.find("/deployments/") != base.npos)
    version = "2024-10-21";
  return base + "/chat/completions" +
         (wire.azure && !version.empty() ? "?api-version=" + version : "");
}

// Text alone is one string, in paragraphs: DeepSeek and small servers do not accept parts.
json user_content(const std::vector<Block>& blocks) {
  json parts = json::array();
  std::string words;
  bool only_text = true;
  for (const Block& block : blocks) {
    if (const auto* text = std::get_if<TextBlock>(&block)) {
      parts.push_back({{"type", "text"}, {"text", text->text}});
      words += (words.empty() ? "" : "\n\n") + text->text;
    }
    if (const auto* image = std::get_if<ImageBlock>(&block)) {
      only_text = false;
      parts.push_back(
          {{"type", "image_url"},
           {"image_url", {{"url", "data:" + image->media_type + ";base64," + image->base64}}}});
    }
  }
  return only_text ? json(words) : parts;
}

constexpr char kExtra[] = "extra_content";  // of a call, which goes back with it
constexpr size_t kMaxId = 40;               // OpenAI refuses longer ones

// Mistral accepts only ids of nine letters and digits, which other providers' ids are not.
std::string call_id(const Wire& wire, const std::string& id) {
  if (wire.mistral) return wire_id(id, 9, /*exact=*/true);
  return id.size() <= kMaxId ? id : wire_id(id, kMaxId);
}

json assistant_message(const Wire& wire, const Message& message) {
  json made = {{"role", "assistant"}};
  std::string text;
  json calls = json::array(), state;
  for (const Block& block : message.blocks) {
    if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
    if (const auto* part = std::get_if<ThinkingBlock>(&block))
      if (part->provider_state.is_object() && !part->provider_state.contains("type"))
        state.update(part->provider_state);
    if (const auto* call = std::get_if<ToolCall>(&block)) {
      calls.push_back({{"id", call_id(wire, call->id)},
                       {"type", "function"},
                       {"function",
                        {{"name", wire_name(call->name)},
                         {"arguments", call->malformed.empty() ? text_of_json(call->arguments)
                                                               : std::string("{}")}}}});
      // Gemini's signature, without which Google refuses the call.
      if (const json& extra = at(call->provider_state, kExtra); !wire.strict && !extra.is_null())
        calls.back()[kExtra] = extra;
    }
  }
  const bool is_signed = state.contains("reasoning_details") || calls.empty();  // OpenRouter's way
  if (needs_signatures(wire) && !wire.strict && !is_signed && !calls[0].contains(kExtra))
    calls[0][kExtra] = {{"google", {{"thought_signature", kNoSignature}}}};
  made["content"] = text.empty() && !calls.empty() ? json(nullptr) : json(text);
  // DeepSeek rejects a tool turn without its reasoning, and older models reject it elsewhere.
  const bool takes_state = !wire.strict;
  if (takes_state && !calls.empty() && state.contains("reasoning_content"))
    made["reasoning_content"] = state["reasoning_content"];
  if (takes_state && state.contains("reasoning_details"))
    made["reasoning_details"] = state["reasoning_details"];
  if (!calls.empty()) made["tool_calls"] = std::move(calls);
  return made;
}

// Recognizes Mistral by provider, or by name behind another server.
bool is_mistral(const Wire& wire) {
  const std::string name = lower_case(wire.model);
  return wire.mistral || name.find("stral") != name.npos || name.find("pixtral") != name.npos;
}

json body(const Wire& wire, const ModelRequest& request) {
  json made = {{"model", wire.model}};
  if (request.stream) {
    made["stream"] = true;
    // Mistral sends the usage unasked and rejects unknown fields.
    if (!wire.mistral) made["stream_options"] = {{"include_usage", true}};
  }
  json messages = json::array();
  if (!request.system.empty())
    messages.push_back({{"role", "system"}, {"content", request.system}});
  for (const Message& message : request.messages) {
    if (message.role == Message::Role::assistant) {
      messages.push_back(assistant_message(wire, message));
      continue;
    }
    bool others = false, has_results = false, has_images = false;
    for (const Block& block : message.blocks) {
      const auto* result = std::get_if<ToolResult>(&block);
      if (!result) {
        others = true;
        has_images = has_images || std::holds_alternative<ImageBlock>(block);
        continue;
      }
      has_results = true;
      messages.push_back({{"role", "tool"},
                          {"tool_call_id", call_id(wire, result->id)},
                          {"content", result->content}});
    }
    if (!others) continue;
    // Mistral's templates refuse a user after a tool: the words end the last result.
    if (has_results && is_mistral(wire) && !has_images) {
      std::string& content = messages.back()["content"].get_ref<std::string&>();
      content += "\n\n" + user_content(message.blocks).get<std::string>();
      continue;
    }
    if (has_results && is_mistral(wire))
      messages.push_back({{"role", "assistant"}, {"content", "I see."}});
    messages.push_back({{"role", "user"}, {"content", user_content(message.blocks)}});
  }
  made["messages"] = std::move(messages);
  if (!request.tools.empty()) {
    made["tools"] = function_tools(request.tools);
    made["tool_choice"] = "auto";
  }
  if (request.temperature) made["temperature"] = *request.temperature;
  if (request.max_tokens)
    made[wire.openai ? "max_completion_tokens" : "max_tokens"] = *request.max_tokens;
  if (request.effort == "none" && wire.base.find("deepseek") != std::string::npos)
    made["thinking"] = {{"type", "disabled"}};
  else if (!request.effort.empty() && request.effort != "auto")
    made["reasoning_effort"] = openai_effort(wire, request.effort);
  if (wire.openai && !wire.azure) made["prompt_cache_key"] = cache_key(request);
  return made;
}

void read_usage(ReplyBuilder& reply, const json& usage) {
  if (!usage.is_object() || usage.empty()) return;
  Usage& to = reply.usage;
  const json& in = at(usage, "prompt_tokens_details");
  to.input = tokens_at(usage, "prompt_tokens");
  to.output = tokens_at(usage, "completion_tokens");
  to.cache_read = tokens_at(in, "cached_tokens");
  if (to.cache_read == 0) to.cache_read = tokens_at(usage, "prompt_cache_hit_tokens");  // DeepSeek
  if (to.cache_read == 0) to.cache_read = tokens_at(usage, "cached_tokens");            // Moonshot
  to.cache_write = tokens_at(in, "cache_write_tokens");
  to.reasoning = tokens_at(at(usage, "completion_tokens_details"), "reasoning_tokens");
}

StopReason stop_reason_of(const std::string& reason) {
  if (reason == "stop" || reason == "eos" || reason == "end_turn") return StopReason::end_turn;
  if (reason == "length" || reason == "model_length" || reason == "max_tokens")
    return StopReason::max_tokens;
  if (reason == "tool_calls" || reason == "function_call") return StopReason::tool_use;
  if (reason == "content_filter" || reason == "refusal") return StopReason::refusal;
  return StopReason::other;
}

// content: a string, or Mistral's array of text and thinking chunks.
void read_content(ReplyBuilder& reply, const json& content) {
  if (content.is_string()) return reply.text(content.get_ref<const std::string&>());
  if (!content.is_array()) return;
  for (const json& chunk : content) {
    if (!reply.should_continue()) return;
    if (chunk.is_string()) reply.text(chunk.get_ref<const std::string&>());
    const std::string type = string_at(chunk, "type");
    if (type == "thinking" || type == "reasoning") {
      const json& thinking = at(chunk, "thinking");
      if (thinking.is_string()) reply.thinking(thinking.get_ref<const std::string&>());
      if (thinking.is_array())
        for (const json& part : thinking)
          if (reply.should_continue()) reply.thinking(string_at(part, "text"));
    } else {
      reply.text(string_at(chunk, "text"));
    }
  }
}

// OpenRouter's reasoning_details: pieces with the same index and type are one item.
void merge_details(ReplyBuilder& reply, json& merged, const json& pieces) {
  if (!merged.is_array()) merged = json::array();
  for (const json& piece : pieces) {
    if (!reply.should_continue()) return;
    if (!piece.is_object()) continue;
    json* same = nullptr;
    for (json& item : merged)
      if (piece.contains("index") && at(item, "index") == at(piece, "index") &&
          at(item, "type") == at(piece, "type"))
        same = &item;
    if (!same) {
      if (merged.size() >= ReplyBuilder::kMaxParts) return reply.fail_for_parts();
      merged.push_back(piece);
      continue;
    }
    for (const auto& [key, value] : piece.items()) {
      const bool grows = key == "text" || key == "summary" || key == "data";
      if (grows && value.is_string() && at(*same, key).is_string())
        (*same)[key].get_ref<std::string&>() += value.get_ref<const std::string&>();
      else if (!value.is_null() || !same->contains(key))
        (*same)[key] = value;
    }
  }
}

void read_thinking(ReplyBuilder& reply, const json& delta) {
  const json& details = at(delta, "reasoning_details");
  std::string text = string_at(delta, "reasoning_content");
  const bool is_content = !text.empty();
  for (const char* key : {"reasoning", "reasoning_text", "thinking"})
    if (text.empty()) text = string_at(delta, key);
  if (text.empty() && details.is_array())
    for (const json& item : details) text += string_at(item, "text") + string_at(item, "summary");
  reply.thinking(text);
  if (!details.is_array() && !is_content) return;
  if (details.is_array() && details.empty()) return;
  ReplyBuilder::Part* part = nullptr;
  for (ReplyBuilder::Part& old : reply.parts)
    if (old.kind == ReplyBuilder::Kind::thinking) part = &old;
  if (!part) part = &reply.append(ReplyBuilder::Kind::thinking, -1);
  if (details.is_array()) merge_details(reply, part->provider_state["reasoning_details"], details);
  if (!is_content) return;
  json& whole = part->provider_state["reasoning_content"];
  if (!whole.is_string()) whole = "";
  whole.get_ref<std::string&>() += text;
}

void read_calls(ReplyBuilder& reply, const json& calls) {
  if (!calls.is_array()) return;
  using Kind = ReplyBuilder::Kind;
  for (const json& call : calls) {
    if (!reply.should_continue()) return;
    const bool is_custom = at(call, "custom").is_object();
    const json& function = at(call, is_custom ? "custom" : "function");
    const std::string id = string_at(call, "id"), name = string_at(function, "name");
    const json& arguments = at(function, is_custom ? "input" : "arguments");
    ReplyBuilder::Part* part = nullptr;
    if (at(call, "index").is_number()) {
      part = reply.find(Kind::call, int_at(call, "index"));
    } else {
      // If there is no index, a known id counts, else a fragment without a name continues the last
      // call.
      for (ReplyBuilder::Part& old : reply.parts)
        if (old.kind == Kind::call && (id.empty() ? name.empty() : old.call.id == id)) part = &old;
    }
    // Some proxies give every call the index 0: another id, or a name after complete arguments, is
    // a new call.
    if (part && !id.empty() && !part->call.id.empty() && part->call.id != id) part = nullptr;
    if (part && id.empty() && !name.empty() && !part->call.name.empty() &&
        (part->whole || parse_wire_json(part->content)))
      part = nullptr;
    if (!part)
      part = &reply.append(Kind::call, at(call, "index").is_number() ? int_at(call, "index") : -1);
    if (!id.empty()) part->call.id = id;
    if (const json& extra = at(call, kExtra); !extra.is_null())
      part->provider_state[kExtra] = extra;
    if (!name.empty() && part->call.name != name) part->call.name += name;
    if (is_custom) {  // its input is text, not JSON
      json& input = part->call.arguments["input"];
      if (!input.is_string()) input = "";
      input.get_ref<std::string&>() += string_at(function, "input");
      part->whole = true;
    } else if (arguments.is_string()) {
      reply.add(*part, arguments.get_ref<const std::string&>());
    } else if (arguments.is_object()) {
      part->call.arguments = arguments;
      part->whole = true;
    }
  }
}

void read_choice(ReplyBuilder& reply, const json& choice, const char* key) {
  // Some servers put a whole message into the only event of a stream.
  const json& delta = at(choice, at(choice, key).is_object() ? key : "message");
  read_thinking(reply, delta);
  read_content(reply, at(delta, "content"));
  reply.refusal += string_at(delta, "refusal");
  read_calls(reply, at(delta, "tool_calls"));
  if (const json& old = at(delta, "function_call"); old.is_object())
    read_calls(reply, json::array({{{"index", 0}, {"function", old}}}));
  const std::string reason = string_at(choice, "finish_reason");
  if (reason.empty()) return;
  if (reason == "error") return reply.fail(error_of_stream(choice));
  reply.stop = stop_reason_of(reason);
  if (!reply.refusal.empty()) reply.stop = StopReason::refusal;
}

// llama.cpp's own counts, if it was not asked for usage.
void read_timings(ReplyBuilder& reply, const json& timings) {
  if (!timings.is_object() || reply.usage.output > 0) return;
  reply.usage.cache_read = tokens_at(timings, "cache_n");
  reply.usage.input = tokens_at(timings, "prompt_n") + reply.usage.cache_read;
  reply.usage.output = tokens_at(timings, "predicted_n");
}

void read_form(ReplyBuilder& reply, const json& data, const char* key) {
  const json& choices = at(data, "choices");
  if (choices.is_array())
    for (const json& choice : choices)
      if (reply.should_continue() && int_at(choice, "index") == 0) {
        read_choice(reply, choice, key);
        read_usage(reply, at(choice, "usage"));  // Moonshot
      }
  read_timings(reply, at(data, "timings"));
  read_usage(reply, at(data, "usage"));
  if (reply.usage.input == 0) read_usage(reply, at(at(data, "x_groq"), "usage"));
}

void read(ReplyBuilder& reply, std::string_view, const json& data) {
  if (!at(data, "error").is_null() || string_at(data, "object") == "error" ||
      string_at(data, "type") == "error")
    if (auto error = error_in(data, 200)) return reply.fail(*error);
  // Groq stops a stream early with a text.
  if (const std::string words = string_at(at(data, "x_groq"), "error"); !words.empty())
    return reply.fail({kind_of_error(words, "", 200), words, 200});
  read_form(reply, data, "delta");
}

// Small servers leave out the finish_reason.
void read_whole(ReplyBuilder& reply, const json& data) {
  read_form(reply, data, "message");
  reply.end_without_reason();
}

}  // namespace

const WireFormat kOpenaiChat = {"openai-chat", false, url,        bearer_header, openai_models_url,
                                body,          read,  read_whole, true,          nullptr,
                                true};

}  // namespace bodkin
