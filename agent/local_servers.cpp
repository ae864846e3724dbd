#include "agent/local_servers.h"

#include "agent/http.h"
#include "agent/wire.h"

namespace bodkin {
namespace {

using nlohmann::json;

struct Place {
  const char *provider, *endpoint, *sign, *models;  // sign: an address only this server has
};
constexpr Place kPlaces[] = {
    {"ollama", "http://127.0.0.1:11434", "/api/version", "/api/tags"},
    {"lmstudio", "http://127.0.0.1:1234/v1", "/api/v0/models", "/v1/models"},
    {"llama.cpp", "http://127.0.0.1:8080/v1", "/props", "/v1/models"},
    {"vllm", "http://127.0.0.1:8000/v1", "/v1/models", "/v1/models"},
};

std::vector<std::string> names_in(const json& list, const char* key) {
  std::vector<std::string> names;
  if (list.is_array())
    for (const json& item : list)
      if (std::string name = string_at(item, key); !name.empty()) names.push_back(std::move(name));
  return names;
}

}  // namespace

std::optional<LocalServer> recognise(std::string_view provider, std::string_view endpoint,
                                     std::string_view sign_body, std::string_view models_body) {
  const json sign = parse_wire_json(sign_body).value_or(json());
  const json models = parse_wire_json(models_body).value_or(json());
  LocalServer server{std::string(provider), std::string(endpoint), {}};
  if (provider == "ollama") {
    if (!at(sign, "version").is_string() || !at(models, "models").is_array()) return std::nullopt;
    server.models = names_in(at(models, "models"), "name");
    return server;
  }
  const json& listed = at(models, "data");
  server.models = names_in(listed, "id");
  const std::string owner =
      listed.is_array() && !listed.empty() ? string_at(listed.front(), "owned_by") : "";
  bool ours = false;
  if (provider == "lmstudio") {
    // The models that are loaded come first; one that only makes embeddings is none.
    ours = at(sign, "data").is_array();
    std::vector<std::string> loaded, others;
    if (ours)
      for (const json& model : at(sign, "data")) {
        if (string_at(model, "type").starts_with("embedding")) continue;
        (string_at(model, "state") == "loaded" ? loaded : others).push_back(string_at(model, "id"));
      }
    loaded.insert(loaded.end(), others.begin(), others.end());
    if (!loaded.empty()) server.models = loaded;
  } else if (provider == "llama.cpp") {
    ours = owner == "llamacpp" || at(sign, "default_generation_settings").is_object();
  } else if (provider == "vllm") {
    ours = owner == "vllm";
  }
  return ours ? std::optional(server) : std::nullopt;
}

std::vector<LocalServer> find_local_servers(std::chrono::milliseconds limit) {
  std::vector<std::string> urls;
  for (const Place& place : kPlaces) {
    const std::string origin = origin_of(place.endpoint);
    urls.push_back(origin + place.sign);
    urls.push_back(origin + place.models);
  }
  const auto bodies = fetch_all(urls, limit);
  std::vector<LocalServer> found;
  for (size_t i = 0; i < std::size(kPlaces); ++i)
    if (auto server = recognise(kPlaces[i].provider, kPlaces[i].endpoint,
                                bodies[2 * i].value_or(""), bodies[2 * i + 1].value_or("")))
      found.push_back(*std::move(server));
  return found;
}

}  // namespace bodkin
