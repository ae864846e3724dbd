#include "agent/models/providers/served_models.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>

#include "agent/models/http/http.h"
#include "agent/models/providers/wire_setup.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "agent/support/wire_json.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kListLimit{5000}, kFactsLimit{2000};
constexpr size_t kMaxNameBytes = 200;

bool generates(const json& entry) {
  const json& methods = at(entry, "supportedGenerationMethods");
  return !methods.is_array() ||
         std::ranges::find(methods, json("generateContent")) != methods.end();
}

}  // namespace

std::string model_name_at(const json& entry, std::string_view key) {
  std::string name = string_at(entry, key);
  return name.size() <= kMaxNameBytes && plain_line(name) == name ? name : "";
}

std::vector<std::string> names_in_list(std::string_view body) {
  const json list = parse_wire_json(body).value_or(json());
  const bool by_id = at(list, "data").is_array();
  const json& entries = at(list, by_id ? "data" : "models");
  std::vector<std::string> names;
  if (!entries.is_array()) return names;
  for (const json& entry : entries) {
    std::string name = model_name_at(entry, by_id ? "id" : "name");
    if (name.starts_with("models/")) name.erase(0, 7);  // Gemini
    if (name.empty() || !generates(entry)) continue;
    names.push_back(std::move(name));
    if (names.size() == kMaxNames) break;
  }
  return names;
}

ModelFacts facts_in_list(std::string_view body, std::string_view name) {
  const json list = parse_wire_json(body).value_or(json());
  const json& data = at(list, "data");
  const json& entries = data.is_array() ? data : at(list, "models");
  if (!entries.is_array()) return {};
  const auto found = std::ranges::find_if(entries, [&](const json& entry) {
    return string_at(entry, "id") == name || string_at(entry, "name") == name ||
           string_at(entry, "name") == "models/" + std::string(name);
  });
  if (found == entries.end()) return {};
  ModelFacts facts;
  const auto count = [&](const json& from, std::initializer_list<const char*> keys) {
    std::optional<int64_t> tokens;
    for (const char* key : keys)
      if (const json& value = at(from, key); !tokens && value.is_number() && value > 0)
        tokens = value.get<int64_t>();
    return tokens;
  };
  // OpenRouter, Mistral, vLLM, Groq, Gemini, Anthropic.
  facts.window = count(*found, {"context_length", "max_context_length", "max_model_len",
                                "context_window", "inputTokenLimit", "max_input_tokens"});
  facts.max_output = count(*found, {"max_completion_tokens", "outputTokenLimit", "max_tokens"});
  if (!facts.max_output)
    facts.max_output = count(at(*found, "top_provider"), {"max_completion_tokens"});
  const auto lists = [](const json& list, std::string_view word) {
    return std::ranges::find(list, json(word)) != list.end();
  };
  if (const json& known = at(*found, "supported_parameters"); known.is_array())
    facts.has_tools = lists(known, "tools");
  if (const json& kinds = at(at(*found, "architecture"), "input_modalities"); kinds.is_array())
    facts.has_images = lists(kinds, "image");
  // Anthropic; Gemini's is a word.
  const json& can = at(*found, "capabilities");
  const auto supports = [](const json& capability) -> std::optional<bool> {
    const json& value = at(capability, "supported");
    return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
  };
  if (const auto takes = supports(at(can, "image_input"))) facts.has_images = takes;
  if (supports(at(at(at(can, "thinking"), "types"), "adaptive")) == true) facts.thinks = "unasked";
  if (supports(at(can, "thinking")) == false || at(*found, "thinking") == false)
    facts.thinks = "never";
  const auto price = [&](const char* key) {  // USD per token, as a string
    const std::string text = string_at(at(*found, "pricing"), key);
    const double each = std::atof(text.c_str());
    return text.empty() || each < 0 ? std::nullopt : std::optional(each * 1e6);
  };
  facts.price = {.input = price("prompt"),
                 .output = price("completion"),
                 .cache_read = price("input_cache_read"),
                 .cache_write = price("input_cache_write")};
  return facts;
}

ModelFacts served_facts(const WireFormat& format, const Wire& wire, const Task& task) {
  static std::mutex mutex;
  static std::map<std::string, ModelFacts> known;
  const std::string url = format.models_url(wire), key = url + " " + wire.model;
  if (url.empty()) return {};
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  const auto bodies = fetch_all({{url, {}, format.headers(wire)}}, kFactsLimit, task.stop);
  const ModelFacts facts = facts_in_list(bodies[0].value_or(""), wire.model);
  if (!task.stop.stop_requested()) {
    const std::lock_guard lock(mutex);
    known.insert_or_assign(key, facts);
  }
  return facts;
}

Result<std::vector<std::string>> served_models(const ModelSettings& settings,
                                               const std::string& provider,
                                               const std::string& endpoint, EditorModels* editor,
                                               const Task& task) {
  const Provider* found = find_provider(provider);
  if (!found)
    return fail(Error::Code::invalid_input,
                "The provider \"" + provider + "\" has no server that lists models.");
  ModelSettings its = settings_for(settings, provider);
  if (!endpoint.empty() && endpoint != its.own.endpoint) its.own = {.endpoint = endpoint};
  auto base = endpoint_for(its, *found);
  if (!base) return std::unexpected(base.error());
  if (base->empty())
    return fail(Error::Code::invalid_input,
                "The provider \"" + provider + "\" needs model.endpoint, the server's base URL.",
                "model.endpoint");
  auto wired = wire_for(its, *found, *std::move(base), editor, task);
  if (!wired) return std::unexpected(wired.error());
  const std::string url = found->format->models_url(wired->wire);
  std::vector<std::string> names;
  if (!url.empty()) {
    const auto bodies =
        fetch_all({{url, {}, found->format->headers(wired->wire)}}, kListLimit, task.stop);
    names = names_in_list(bodies[0].value_or(""));
    if (bodies[0].status == 401 || bodies[0].status == 403)
      return fail(Error::Code::unavailable,
                  origin_of(wired->wire.base) +
                      (wired->key.text.empty() ? " wants an API key." : " refuses the API key."),
                  "model.apiKeyEnv");
    if (!bodies[0].has_value())
      return fail(Error::Code::unavailable,
                  origin_of(wired->wire.base) +
                      (bodies[0].status == 0
                           ? " does not answer; is the address right?"
                           : " answers a request for its models with status " +
                                 std::to_string(bodies[0].status) + "; is the address right?"));
  }
  if (names.empty())
    return fail(Error::Code::unavailable, origin_of(wired->wire.base) + " listed no models.");
  return names;
}

}  // namespace bodkin
