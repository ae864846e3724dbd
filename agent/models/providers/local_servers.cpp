#include "agent/models/providers/local_servers.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

#include "agent/models/http/http.h"
#include "agent/models/providers/served_models.h"
#include "agent/support/url.h"
#include "agent/support/wire_json.h"

namespace bodkin {
namespace {

using nlohmann::json;

struct Place {
  const char *provider, *endpoint, *sign, *models;  // sign: an address only this server has
};
constexpr std::chrono::seconds kRecent{60};  // then a restart with another window is noticed
constexpr size_t kMaxRecent = 16;
constexpr Place kPlaces[] = {
    {"ollama", "http://127.0.0.1:11434", "/api/version", "/api/tags"},
    {"lmstudio", "http://127.0.0.1:1234/v1", "/api/v0/models", "/v1/models"},
    {"llama.cpp", "http://127.0.0.1:8080/v1", "/props", "/v1/models"},
    {"vllm", "http://127.0.0.1:8000/v1", "/v1/models", "/v1/models"},
};

json parsed(std::string_view text) { return parse_wire_json(text).value_or(json()); }

std::optional<int64_t> tokens_at(const json& object, std::string_view key) {
  const int64_t tokens = int_at(object, key);
  return tokens > 0 ? std::optional(tokens) : std::nullopt;
}

bool lists(const json& words, std::string_view word) {
  return words.is_array() &&
         std::ranges::any_of(words, [&](const json& w) { return w == json(word); });
}

// One entry of a model list: OpenAI's format with additions of vLLM, LM Studio and llama.cpp.
LocalModel model_of(const json& entry) {
  LocalModel model{model_name_at(entry, "id")};
  // vLLM, LM Studio (loaded and not), gateways.
  for (const char* key : {"max_model_len", "loaded_context_length", "max_context_length",
                          "context_length", "context_window"})
    if (!model.window) model.window = tokens_at(entry, key);
  if (!model.window) model.window = tokens_at(at(entry, "meta"), "n_ctx");  // llama.cpp
  if (const json& can = at(entry, "capabilities"); can.is_array()) {
    model.has_tools = lists(can, "tool_use");
    model.has_images = lists(can, "multimodal") || string_at(entry, "type") == "vlm";
  }
  return model;
}

std::vector<LocalModel> models_in(const json& list) {
  std::vector<LocalModel> models;
  if (list.is_array())
    for (const json& item : list)
      if (LocalModel model = model_of(item); !model.name.empty() && models.size() < kMaxNames)
        models.push_back(std::move(model));
  return models;
}

// LM Studio's own list: loaded models first; embedding models are skipped.
std::vector<LocalModel> lmstudio_models(const json& list) {
  std::vector<LocalModel> loaded, others;
  if (list.is_array())
    for (const json& item : list) {
      if (string_at(item, "type").starts_with("embedding")) continue;
      LocalModel model = model_of(item);
      if (model.name.empty() || loaded.size() + others.size() == kMaxNames) continue;
      (string_at(item, "state") == "loaded" ? loaded : others).push_back(std::move(model));
    }
  loaded.insert(loaded.end(), others.begin(), others.end());
  return loaded;
}

// llama.cpp's /props: the window of one slot, and what the chat template can do.
void read_props(LocalModel& model, const json& props) {
  const json& settings = at(props, "default_generation_settings");
  if (const auto window = tokens_at(settings, "n_ctx")) model.window = window;
  if (const json& can = at(props, "chat_template_caps"); can.is_object())
    if (const json& tools = at(can, "supports_tools"); tools.is_boolean())
      model.has_tools = tools.get<bool>();
  if (const json& vision = at(at(props, "modalities"), "vision"); vision.is_boolean())
    model.has_images = vision.get<bool>();
}

// Ollama's /api/show. The window there is what the model was made for; num_ctx is ours to choose.
void read_show(LocalModel& model, const json& show) {
  if (const json& can = at(show, "capabilities"); can.is_array()) {
    model.has_tools = lists(can, "tools");
    model.has_images = lists(can, "vision");
  }
  if (const json& facts = at(show, "model_info"); facts.is_object())
    for (const auto& [key, value] : facts.items())
      if (key.ends_with(".context_length") && value.is_number())
        model.window = value.get<int64_t>();
}

std::vector<std::string> headers_with(const std::string& key) {
  if (key.empty()) return {};
  return {"Authorization: Bearer " + key};
}

std::string first_name(const json& list, const char* key) {
  if (list.is_array())
    for (const json& entry : list)
      if (std::string name = model_name_at(entry, key); !name.empty()) return name;
  return "";
}

}  // namespace

std::optional<LocalServer> recognize(std::string_view provider, std::string_view endpoint,
                                     std::string_view sign_body, std::string_view models_body) {
  const json sign = parsed(sign_body), models = parsed(models_body);
  LocalServer server{std::string(provider), std::string(endpoint), {}};
  if (provider == "ollama") {
    const json& listed = at(models, "models");
    if (!at(sign, "version").is_string() || !listed.is_array()) return std::nullopt;
    for (const json& model : listed)
      if (std::string name = model_name_at(model, "name");
          !name.empty() && server.models.size() < kMaxNames)
        server.models.push_back({std::move(name)});
    return server;
  }
  const json& listed = at(models, "data");
  server.models = models_in(listed);
  const std::string owner = first_name(listed, "owned_by");
  bool ours = false;
  if (provider == "lmstudio") {
    ours = at(sign, "data").is_array();
    if (auto loaded = lmstudio_models(at(sign, "data")); !loaded.empty()) server.models = loaded;
  } else if (provider == "llama.cpp") {
    ours = owner == "llamacpp" || at(sign, "default_generation_settings").is_object();
    for (LocalModel& model : server.models) read_props(model, sign);
  } else if (provider == "vllm") {
    ours = owner == "vllm";
  }
  return ours ? std::optional(server) : std::nullopt;
}

std::vector<LocalAnswer> ask_local_servers() {
  std::vector<Fetch> fetches;
  for (const Place& place : kPlaces) {
    const std::string origin = origin_of(place.endpoint);
    fetches.push_back({origin + place.sign});
    fetches.push_back({origin + place.models});
  }
  const auto bodies = fetch_all(fetches, kFindLimit);
  std::vector<LocalAnswer> answers;
  for (size_t i = 0; i < std::size(kPlaces); ++i) {
    const auto &sign = bodies[2 * i], &models = bodies[2 * i + 1];
    answers.push_back({kPlaces[i].provider, kPlaces[i].endpoint, sign || models,
                       recognize(kPlaces[i].provider, kPlaces[i].endpoint, sign.value_or(""),
                                 models.value_or(""))});
  }
  return answers;
}

std::vector<LocalServer> find_local_servers() {
  std::vector<LocalServer> found;
  for (LocalAnswer& answer : ask_local_servers())
    if (answer.server) found.push_back(*std::move(answer.server));
  return found;
}

LocalModel local_model_in(bool ollama, std::string_view list, std::string_view details,
                          const std::string& name) {
  const json listed = parsed(list), detail = parsed(details);
  LocalModel model{name};
  if (ollama) {
    if (name.empty()) model.name = first_name(at(listed, "models"), "name");
    read_show(model, detail);
    return model;
  }
  std::vector<LocalModel> models = lmstudio_models(at(detail, "data"));
  if (models.empty()) models = models_in(at(listed, "data"));
  for (const LocalModel& candidate : models)
    if (name.empty() || candidate.name == name) {
      model = candidate;
      break;
    }
  if (model.name.empty()) model.name = first_name(at(listed, "data"), "id");
  read_props(model, detail);
  return model;
}

namespace {

LocalModel asked_model(std::string_view provider, const std::string& base, const std::string& name,
                       const std::string& key, std::chrono::steady_clock::time_point end) {
  const auto left = [end] {
    return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(
                        end - std::chrono::steady_clock::now()),
                    std::chrono::milliseconds(1));
  };
  const std::vector<std::string> headers = headers_with(key);
  const std::string origin = origin_of(base);
  LocalModel compatible;  // as its OpenAI-compatible API has it
  const bool ollama = provider == "ollama";
  if (!ollama) {
    const bool lmstudio = provider == "lmstudio";
    std::vector<Fetch> fetches = {{base + "/models", {}, headers}};
    if (provider != "vllm") {  // which says all of it there
      fetches.push_back({origin + (lmstudio ? "/api/v0/models" : "/props"), {}, headers});
      fetches.push_back({origin + "/api/version", {}, headers});
    }
    auto bodies = fetch_all(fetches, left());
    bodies.resize(3);
    compatible = local_model_in(false, bodies[0].value_or(""), bodies[1].value_or(""), name);
    const json list = parsed(bodies[0].value_or(""));
    compatible.cuts_prompts = first_name(at(list, "data"), "owned_by") == "library";
    const bool may_be = at(parsed(bodies[2].value_or("")), "version").is_string();
    if (!may_be || base != origin + "/v1") return compatible;
  }
  std::string chosen = ollama ? name : compatible.name;
  const std::string own = ollama ? base : origin;  // of Ollama's own API
  if (!ollama || chosen.empty()) {
    const auto tags = fetch_all({{own + "/api/tags", {}, headers}}, left())[0].value_or("");
    // Others, too, have /api/version.
    if (!ollama && !at(parsed(tags), "models").is_array()) return compatible;
    if (chosen.empty()) chosen = local_model_in(true, tags, "", "").name;
  }
  if (chosen.empty()) return compatible;
  const auto show =
      fetch_all({{own + "/api/show", json{{"model", chosen}}.dump(), headers}}, left());
  LocalModel model = local_model_in(true, "", show[0].value_or(""), chosen);
  model.is_ollama = true;
  return model;
}

// Remembers what servers have said about models that were asked for by name. Thread: any.
class RecentModels {
 public:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;

  std::optional<LocalModel> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = models_.find(key);
    if (found == models_.end() || Clock::now() - found->second.second > kRecent) return {};
    return found->second.first;
  }
  void add(const Key& key, const LocalModel& model) {
    const std::lock_guard lock(mutex_);
    if (models_.size() >= kMaxRecent) models_.clear();
    models_.insert_or_assign(key, std::pair(model, Clock::now()));
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::mutex mutex_;
  std::map<Key, std::pair<LocalModel, Clock::time_point>> models_;
};

}  // namespace

LocalModel local_model(std::string_view provider, const std::string& base, const std::string& name,
                       const std::string& key, std::chrono::steady_clock::time_point end) {
  static RecentModels recent;
  const RecentModels::Key asked(provider, base, name, key);
  if (auto known = recent.find(asked)) return *std::move(known);
  LocalModel model = asked_model(provider, base, name, key, end);
  // If there is no name, the server chooses, and may have loaded another model since.
  const bool has_facts = model.window || model.has_tools || model.has_images;
  if (!name.empty() && has_facts) recent.add(asked, model);
  return model;
}

std::string first_model_at(const std::string& base, const std::string& key) {
  const auto bodies = fetch_all({{base + "/models", {}, headers_with(key)}}, kLocalLimit);
  return first_name(at(parsed(bodies[0].value_or("")), "data"), "id");
}

}  // namespace bodkin
