// OpenAI Responses, stateless: nothing is stored there, all items are sent back as they came
// (reasoning with its encrypted content as `output_item.done` has it, messages with their phase).
#include <algorithm>

#include "agent/models/wire/wire_error.h"
#include "agent/models/wire/wire_format.h"
#include "agent/support/json.h"
#include "edits/plan/paths.h"

namespace bodkin {
namespace {

using nlohmann::json;
using Kind = ReplyBuilder::Kind;

std::string url(const Wire& wire, const ModelRequest&) {
  return wire.base + "/responses" +
         (wire.azure && !wire.api_version.empty() ? "?api-version=" + wire.api_version : "");
}

constexpr size_t kMaxId = 64;
std::string call_id(const std::string& id) {
  return id.size() <= kMaxId ? id : wire_id(id, kMaxId);
}

json result_item(const ToolResult& result, const json& call_types) {
  const std::string type = string_at(call_types, result.id);
  if (type == "apply_patch_call")
    return {{"type", "apply_patch_call_output"},
            {"call_id", call_id(result.id)},
            {"status", result.is_error ? "failed" : "completed"},
            {"output", result.content}};
  return {{"type", type == "custom_tool_call" ? "custom_tool_call_output" : "function_call_output"},
          {"call_id", call_id(result.id)},
          {"output", result.content}};
}

// An item unchanged, except for null fields that only replies have.
json echoed(json item) {
  for (const char* key : {"status", "content", "namespace"})
    if (item.contains(key) && item[key].is_null()) item.erase(key);
  return item;
}

json input_of(const ModelRequest& request) {
  json input = json::array(), call_types = json::object();
  for (const Message& message : request.messages) {
    json parts = json::array();
    const auto end_message = [&] {
      if (!parts.empty())
        input.push_back({{"type", "message"}, {"role", "user"}, {"content", std::move(parts)}});
      parts = json::array();
    };
    for (const Block& block : message.blocks) {
      if (const auto* text = std::get_if<TextBlock>(&block)) {
        if (string_at(text->provider_state, "type") == "message") {
          input.push_back(echoed(text->provider_state));
        } else if (message.role == Message::Role::user) {
          parts.push_back({{"type", "input_text"}, {"text", text->text}});
        } else if (!text->text.empty()) {
          input.push_back({{"role", "assistant"}, {"content", text->text}});
        }
      } else if (const auto* thinking = std::get_if<ThinkingBlock>(&block)) {
        if (const json& item = at(thinking->provider_state, "responses_item"); item.is_object())
          input.push_back(echoed(item));
        else if (string_at(thinking->provider_state, "type") == "reasoning")
          input.push_back(echoed(thinking->provider_state));
      } else if (const auto* call = std::get_if<ToolCall>(&block)) {
        const std::string type = string_at(call->provider_state, "type");
        const std::string name = wire_name(call->name);
        const bool is_echoed =
            type.ends_with("_call") && call->malformed.empty() && name == call->name;
        if (is_echoed) call_types[call->id] = type;  // else its result is a function's
        if (is_echoed)
          input.push_back(echoed(call->provider_state));
        else
          input.push_back({{"type", "function_call"},
                           {"call_id", call_id(call->id)},
                           {"name", name},
                           {"arguments", text_of_json(call->arguments)}});
      } else if (const auto* result = std::get_if<ToolResult>(&block)) {
        input.push_back(result_item(*result, call_types));
      } else if (const auto* image = std::get_if<ImageBlock>(&block)) {
        parts.push_back({{"type", "input_image"},
                         {"detail", "auto"},
                         {"image_url", "data:" + image->media_type + ";base64," + image->base64}});
      }
    }
    end_message();
  }
  return input;
}

// A tool, free-form where the model takes that.
json tool_item(const Wire& wire, const ToolSpec& tool) {
  const std::string_view model = last_part(wire.model);
  const bool is_free = model.starts_with("gpt-") && !model.starts_with("gpt-3") &&
                       !model.starts_with("gpt-4") && !tool.grammar.empty();
  if (is_free)
    return {{"type", "custom"},
            {"name", tool.name},
            {"description", tool.description},
            {"format", {{"type", "grammar"}, {"syntax", "lark"}, {"definition", tool.grammar}}}};
  return {{"type", "function"},
          {"name", tool.name},
          {"description", tool.description},
          {"parameters", tool.parameters},
          {"strict", false}};
}

json body(const Wire& wire, const ModelRequest& request) {
  json made = {{"model", wire.model}, {"store", false}, {"input", input_of(request)}};
  if (request.stream) made["stream"] = true;
  if (!request.system.empty()) made["instructions"] = request.system;
  if (request.temperature) made["temperature"] = *request.temperature;
  if (request.max_tokens)
    made["max_output_tokens"] = std::max(*request.max_tokens, 16);  // the least
  // Models without reasoning reject a request to include it.
  if (!wire.model.starts_with("gpt-4") && !wire.model.starts_with("gpt-3")) {
    made["include"] = json::array({"reasoning.encrypted_content"});
    if (!request.effort.empty()) made["reasoning"]["summary"] = "auto";  // else it has no text
    if (!request.effort.empty() && request.effort != "auto")
      made["reasoning"]["effort"] = openai_effort(wire, request.effort);
  }
  if (!request.tools.empty()) {
    json tools = json::array();
    for (const ToolSpec& tool : request.tools) tools.push_back(tool_item(wire, tool));
    made["tools"] = std::move(tools);
    made["tool_choice"] = "auto";
    made["parallel_tool_calls"] = true;
  }
  if (wire.openai && !wire.azure) made["prompt_cache_key"] = cache_key(request);
  return made;
}

void read_usage(ReplyBuilder& reply, const json& usage) {
  if (!usage.is_object()) return;
  const json& in = at(usage, "input_tokens_details");
  reply.usage = {tokens_at(usage, "input_tokens"), tokens_at(in, "cached_tokens"),
                 tokens_at(in, "cache_write_tokens"), tokens_at(usage, "output_tokens"),
                 tokens_at(at(usage, "output_tokens_details"), "reasoning_tokens")};
}

bool is_call(const std::string& type) {
  return type == "function_call" || type == "custom_tool_call" || type == "apply_patch_call";
}

// Summary and reasoning parts are paragraphs: a new part index starts one.
void add_thinking(ReplyBuilder& reply, const json& data, const char* index_key) {
  const int64_t output = int_at(data, "output_index"), index = int_at(data, index_key);
  ReplyBuilder::Part& part = reply.part(Kind::thinking, output);
  json& last = reply.scratch[index_key + std::to_string(output)];
  const bool is_new = last != index;
  const std::string whole = string_at(data, "text");  // the end of one, which had no deltas
  if (!is_new && !whole.empty()) return;
  if (is_new && !part.content.empty()) reply.add(part, "\n\n");
  last = index;
  reply.add(part, whole.empty() ? string_at(data, "delta") : whole);
}

std::string joined(const json& parts, const char* key) {
  std::string all;
  if (!parts.is_array()) return all;
  for (const json& part : parts) {
    const std::string text = string_at(part, key);
    if (!all.empty() && !text.empty()) all += "\n\n";
    all += text;
  }
  return all;
}

// Adds the part of a text that the deltas did not bring.
void add_rest(ReplyBuilder& reply, ReplyBuilder::Part& part, std::string_view whole) {
  if (whole.starts_with(part.content)) reply.add(part, whole.substr(part.content.size()));
}

// The final item. Whatever its deltas did not contain is taken from here.
void end_item(ReplyBuilder& reply, int64_t output, const json& item) {
  const std::string type = string_at(item, "type");
  reply.scratch["ended"][std::to_string(output)] = true;
  if (type == "message") {
    std::string text, refusal;
    if (const json& content = at(item, "content"); content.is_array())
      for (const json& part : content) {
        if (string_at(part, "type") == "refusal")
          refusal += string_at(part, "refusal");
        else
          text += string_at(part, "text");
      }
    if (reply.refusal.empty()) reply.refusal = refusal;
    ReplyBuilder::Part* part = reply.find(Kind::text, output);
    if (!part) part = &reply.append(Kind::text, output);
    add_rest(reply, *part, text);
    part->provider_state = item;
  } else if (type == "reasoning") {
    ReplyBuilder::Part& part = reply.part(Kind::thinking, output);
    if (part.content.empty()) {
      const std::string summary = joined(at(item, "summary"), "text");
      reply.add(part, summary.empty() ? joined(at(item, "content"), "text") : summary);
    }
    part.provider_state = item;
  } else if (is_call(type)) {
    ReplyBuilder::Part& part = reply.part(Kind::call, output);
    part.call.id = string_at(item, "call_id");
    part.call.name = type == "apply_patch_call" ? "apply_patch" : string_at(item, "name");
    part.provider_state = item;
    if (type == "function_call") {
      if (const json& arguments = at(item, "arguments"); arguments.is_object()) {
        part.call.arguments = arguments;
        part.whole = true;
      } else if (const std::string text = string_at(item, "arguments"); !text.empty()) {
        part.content.clear();
        part.joiner = {};
        reply.add(part, text);
      }
    } else {
      part.call.arguments = type == "apply_patch_call" ? at(item, "operation")
                                                       : json{{"input", string_at(item, "input")}};
      part.whole = true;
    }
    join_surrogates(part.provider_state);
  } else if (!type.empty()) {  // the provider's own tools: sent back unchanged
    reply.append(Kind::thinking, output).provider_state = {{"responses_item", item}};
  }
}

void read_response(ReplyBuilder& reply, const json& response) {
  // Items whose end the stream did not report.
  const bool told_nothing = reply.parts.empty();
  if (const json& output = at(response, "output"); output.is_array())
    for (size_t i = 0; i < output.size(); ++i) {
      const json& slot = at(at(reply.scratch, "slots"), string_at(output[i], "id"));
      if (told_nothing)
        end_item(reply, static_cast<int64_t>(i), output[i]);
      else if (slot.is_number() && !reply.scratch["ended"].contains(slot.dump()))
        end_item(reply, slot.get<int64_t>(), output[i]);
    }
  read_usage(reply, at(response, "usage"));
  const std::string status = string_at(response, "status");
  if (status == "failed" || !at(response, "error").is_null()) {
    reply.fail(error_of_stream(response, "The response failed."));
  } else if (status == "incomplete") {
    const std::string reason = string_at(at(response, "incomplete_details"), "reason");
    reply.stop = reason == "max_output_tokens" || reason == "max_tokens" ? StopReason::max_tokens
                 : reason == "content_filter"                            ? StopReason::refusal
                                                                         : StopReason::other;
  } else if (status == "cancelled") {
    reply.stop = StopReason::other;
  } else {
    reply.stop = reply.refusal.empty() ? StopReason::end_turn : StopReason::refusal;
  }
}

// The output item that an event refers to: by its index or, if a server omits that, by the item's
// id.
int64_t output_of(ReplyBuilder& reply, const json& data) {
  std::string id = string_at(data, "item_id");
  if (id.empty()) id = string_at(at(data, "item"), "id");
  json& slots = reply.scratch["slots"];
  if (!slots.is_object()) slots = json::object();
  if (const json& index = at(data, "output_index"); index.is_number()) {
    if (!id.empty()) slots[id] = int_at(data, "output_index");
    return int_at(data, "output_index");
  }
  if (id.empty()) return 0;
  if (!slots.contains(id)) slots[id] = 1'000'000 + slots.size();
  return slots[id].get<int64_t>();
}

// Adds a text that a server sent only as a whole.
void add_if_empty(ReplyBuilder& reply, ReplyBuilder::Part& part, const std::string& whole) {
  if (part.content.empty() && !part.whole) reply.add(part, whole);
}

void read(ReplyBuilder& reply, std::string_view event, const json& data) {
  std::string type = string_at(data, "type");
  if (type.empty()) type = event;
  const int64_t output = output_of(reply, data);
  if (type == "response.output_item.added") {
    const json& item = at(data, "item");
    if (is_call(string_at(item, "type"))) {
      ReplyBuilder::Part& part = reply.part(Kind::call, output);
      part.call.id = string_at(item, "call_id");
      part.call.name = string_at(item, "name");
    }
  } else if (type == "response.output_text.delta") {
    reply.add(reply.part(Kind::text, output), string_at(data, "delta"));
  } else if (type == "response.output_text.done") {
    add_if_empty(reply, reply.part(Kind::text, output), string_at(data, "text"));
  } else if (type == "response.function_call_arguments.done") {
    if (ReplyBuilder::Part* part = reply.find(Kind::call, output))
      add_if_empty(reply, *part, string_at(data, "arguments"));
  } else if (type == "response.custom_tool_call_input.done") {
    ReplyBuilder::Part& part = reply.part(Kind::call, output);
    part.call.arguments = {{"input", string_at(data, "input")}};
    part.whole = true;
  } else if (type == "response.refusal.delta") {
    reply.refusal += string_at(data, "delta");
  } else if (type == "response.function_call_arguments.delta") {
    reply.add(reply.part(Kind::call, output), string_at(data, "delta"));
  } else if (type == "response.refusal.done") {
    if (reply.refusal.empty()) reply.refusal = string_at(data, "refusal");
  } else if (type == "response.reasoning_summary_text.delta" ||
             type == "response.reasoning_summary_text.done") {
    add_thinking(reply, data, "summary_index");
  } else if (type == "response.reasoning_text.delta" || type == "response.reasoning_text.done") {
    add_thinking(reply, data, "content_index");
  } else if (type == "response.output_item.done") {
    end_item(reply, output, at(data, "item"));
  } else if (type == "response.completed" || type == "response.incomplete" ||
             type == "response.failed") {
    json response = at(data, "response");
    if (response.is_object() && string_at(response, "status").empty())
      response["status"] = type.substr(std::string_view("response.").size());
    read_response(reply, response);
    reply.ended = true;
  } else if (type == "error") {
    reply.fail(error_of_stream(data));
  }
}

void read_whole(ReplyBuilder& reply, const json& data) {
  if (at(data, "output").is_array()) read_response(reply, data);
}

}  // namespace

const WireFormat kOpenaiResponses = {"openai-responses", false, url,  bearer_header,
                                     openai_models_url,  body,  read, read_whole};

}  // namespace bodkin
