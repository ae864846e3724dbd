#include "agent/models/providers/served_models.h"

#include <algorithm>
#include <chrono>

#include "agent/models/http/http.h"
#include "agent/models/providers/wire_setup.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "agent/support/wire_json.h"

namespace bodkin {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kListLimit{5000};
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
  bool has_answered = true;
  if (!url.empty()) {
    const auto bodies =
        fetch_all({{url, {}, found->format->headers(wired->wire)}}, kListLimit, task.stop);
    has_answered = bodies[0].has_value();
    names = names_in_list(bodies[0].value_or(""));
  }
  if (names.empty())
    return fail(Error::Code::unavailable,
                origin_of(wired->wire.base) + " listed no models" +
                    (has_answered ? "." : "; are the address and the key right?"));
  return names;
}

}  // namespace bodkin
