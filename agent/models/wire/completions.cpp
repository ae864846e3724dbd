// A text that the model continues, without a conversation or its template: OpenAI's older
// /completions, which every server of local models has, and Ollama's /api/generate with `raw`. The
// prompt is the text of the only message.
#include "agent/models/wire/wire_format.h"

namespace bodkin {
namespace {

using nlohmann::json;

std::string prompt_of(const ModelRequest& request) {
  std::string text;
  for (const Message& message : request.messages)
    for (const Block& block : message.blocks)
      if (const auto* part = std::get_if<TextBlock>(&block)) text += part->text;
  return text;
}

std::string no_models_url(const Wire&) { return ""; }

StopReason reason_of(const std::string& name) {
  return name == "length" ? StopReason::max_tokens : StopReason::end_turn;
}

std::string completions_url(const Wire& wire, const ModelRequest&) {
  return wire.base + "/completions";
}

json completions_body(const Wire& wire, const ModelRequest& request) {
  json made = {{"model", wire.model}, {"prompt", prompt_of(request)}, {"stream", request.stream}};
  if (request.max_tokens) made["max_tokens"] = *request.max_tokens;
  if (request.temperature) made["temperature"] = *request.temperature;
  if (!request.stop.empty()) made["stop"] = request.stop;
  return made;
}

void read_completion(ReplyBuilder& reply, std::string_view, const json& data) {
  if (const json& usage = at(data, "usage"); usage.is_object()) {
    reply.usage.input = tokens_at(usage, "prompt_tokens");
    reply.usage.output = tokens_at(usage, "completion_tokens");
  }
  const json& choices = at(data, "choices");
  if (!choices.is_array() || choices.empty()) return;
  reply.text(string_at(choices[0], "text"));
  if (const std::string reason = string_at(choices[0], "finish_reason"); !reason.empty())
    reply.stop = reason_of(reason);
}

std::string generate_url(const Wire& wire, const ModelRequest&) {
  return wire.base + "/api/generate";
}

json generate_body(const Wire& wire, const ModelRequest& request) {
  json options = {{"num_ctx", std::min(wire.window.value_or(kOllamaWindow), kOllamaWindow)}};
  if (request.max_tokens) options["num_predict"] = *request.max_tokens;
  if (request.temperature) options["temperature"] = *request.temperature;
  if (!request.stop.empty()) options["stop"] = request.stop;
  return {{"model", wire.model},
          {"prompt", prompt_of(request)},
          {"raw", true},
          {"stream", request.stream},
          {"options", std::move(options)}};
}

void read_generated(ReplyBuilder& reply, std::string_view, const json& data) {
  reply.text(string_at(data, "response"));
  if (at(data, "done") != json(true)) return;
  reply.stop = reason_of(string_at(data, "done_reason"));
  reply.usage.input = tokens_at(data, "prompt_eval_count");
  reply.usage.output = tokens_at(data, "eval_count");
  reply.ended = true;
}

}  // namespace

const WireFormat kCompletions = {
    .name = "completions",
    .ndjson = false,
    .url = completions_url,
    .headers = bearer_header,
    .models_url = no_models_url,
    .body = completions_body,
    .read = read_completion,
    .read_whole = [](ReplyBuilder& reply, const json& data) { read_completion(reply, "", data); }};

const WireFormat kOllamaGenerate = {
    .name = "ollama-generate",
    .ndjson = true,
    .url = generate_url,
    .headers = bearer_header,
    .models_url = no_models_url,
    .body = generate_body,
    .read = read_generated,
    .read_whole = [](ReplyBuilder& reply, const json& data) { read_generated(reply, "", data); }};

}  // namespace bodkin
