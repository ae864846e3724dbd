#include "lsp/workspace/model_settings.h"

#include <algorithm>
#include <array>

#include "agent/models/providers/provider_table.h"
#include "agent/support/url.h"
#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

namespace {

// The user's own entries for the model table, separate from the settings: model names contain dots,
// which separate setting names.
Json user_models() {
  const std::string folder = config_folder();
  if (folder.empty()) return nullptr;
  Json given = json_of_user_file(folder + "/models.json");
  return given.is_object() && given.contains("models") ? given["models"] : given;
}

constexpr std::array kKeys = {"endpoint", "apiKeyEnv", "apiKeyCommand", "apiVersion"};

std::string provider_in(const Json& model) {
  const std::string provider = text_member(model, "provider");
  return provider == "auto" ? "" : provider;
}

bool has_endpoint(const Json& model) {
  return std::ranges::any_of(kKeys,
                             [&](const char* key) { return !text_member(model, key).empty(); });
}

// Takes values from `given` that no higher layer sets: an endpoint is combined with keys of its own
// or a higher layer, never a lower one. False: everything is set.
bool add_below(ProviderSettings& settings, const Json& given) {
  if (settings.api_key_env.empty() && settings.api_key_command.empty()) {
    settings.api_key_env = text_member(given, "apiKeyEnv");
    if (const std::string command = text_member(given, "apiKeyCommand"); !command.empty())
      settings.api_key_command = {"/bin/sh", "-c", command};
  }
  if (settings.api_version.empty()) settings.api_version = text_member(given, "apiVersion");
  settings.endpoint = text_member(given, "endpoint");
  return settings.endpoint.empty();
}

// The settings of one provider ("": `auto`), from the layers that name it, the highest first.
ProviderSettings settings_of(const Settings& settings, const std::string& provider,
                             bool is_current) {
  ProviderSettings result;
  for (const Settings::Layer layer : Settings::kFromTheTop) {
    const Json& model = settings.in_layer(layer, "model");
    if (is_current && provider_in(model) == provider && !add_below(result, model)) return result;
  }
  if (provider.empty()) return result;
  for (const Settings::Layer layer : Settings::kFromTheTop) {
    const Json& all = settings.in_layer(layer, "model.providers");
    const auto found = all.is_object() ? all.find(provider) : all.end();
    if (all.is_object() && found != all.end() && !add_below(result, *found)) return result;
  }
  return result;
}

}  // namespace

ModelSettings model_settings(const Settings& settings) {
  ModelSettings result;
  result.provider = settings.text("model.provider");
  result.name = settings.text("model.name");
  const std::string current = result.provider == "auto" ? "" : result.provider;
  result.own = settings_of(settings, current, true);
  for (const Settings::Layer layer : Settings::kFromTheTop) {
    const Json& all = settings.in_layer(layer, "model.providers");
    if (!all.is_object()) continue;
    for (const auto& [name, given] : all.items())
      result.providers.try_emplace(name, settings_of(settings, name, false));
  }
  result.insecure_hosts = settings.list("model.insecureHosts");
  result.window = static_cast<int64_t>(settings.number("agent.contextWindow"));
  result.retry_seconds =
      static_cast<int>(std::clamp<double>(settings.number("model.retrySeconds"), 0, 86'400));
  result.models = user_models();
  return result;
}

namespace {

// The value of the highest layer that has one: its members belong together.
Json model_in_settings(const Settings& settings, std::string_view key) {
  for (const Settings::Layer layer : Settings::kFromTheTop) {
    const Json& given = settings.in_layer(layer, key);
    if (given.is_object() && !given.empty()) return given;
  }
  return Json::object();
}

// Nullopt if it names none.
std::optional<ModelSettings> other_model(const Settings& settings, const Json& given) {
  const std::string provider = text_member(given, "provider");
  const std::string endpoint = text_member(given, "endpoint");
  const std::string name = text_member(given, "name");
  if (provider.empty() && endpoint.empty() && name.empty()) return std::nullopt;
  ModelSettings model = model_settings(settings);
  if (!provider.empty() && provider != model.provider) {
    model.provider = provider;
    model.own = settings_of(settings, provider == "auto" ? "" : provider, false);
  }
  const auto is_same_host = [&] {
    const std::string origin = origin_of(endpoint);
    return endpoint == model.own.endpoint ||
           (!origin.empty() && origin == origin_of(model.own.endpoint));
  };
  if (!endpoint.empty() && !is_same_host()) {
    model.own = {.endpoint = endpoint, .api_version = model.own.api_version};
    model.owns_key = !provider.empty();
  } else if (!endpoint.empty()) {
    model.own.endpoint = endpoint;
  }
  if (!name.empty()) model.name = name;
  return model;
}

}  // namespace

DraftModelSettings draft_model_settings(const Settings& settings) {
  DraftModelSettings result;
  const Json given = model_in_settings(settings, "model.draft");
  if (const auto found = given.find("temperature"); found != given.end() && found->is_number())
    result.temperature = found->get<double>();
  result.prompt = text_member(given, "prompt");
  result.model = other_model(settings, given);
  return result;
}

std::optional<ModelSettings> small_model_settings(const Settings& settings) {
  return other_model(settings, model_in_settings(settings, "model.small"));
}

std::optional<ModelSettings> suggest_model_settings(const Settings& settings) {
  return other_model(settings, model_in_settings(settings, "suggest.model"));
}

std::string predicting_model(const ModelChoice& choice) {
  const std::string name = choice.name.empty() ? choice.provider : choice.name;
  if (choice.provider == "editor") return name + " of the editor";
  return choice.endpoint.empty() ? name : name + " at " + choice.endpoint;
}

std::string predicting_words(const Settings& settings, EditorModels* editor, const Task& task) {
  const auto model = suggest_model_settings(settings);
  if (!model) return "";
  const auto choice = preview_choice(*model, editor, task);
  if (!choice) return "are not predicted: " + choice.error().message;
  return predicting_model(*choice) + "; the code around the cursor is sent there";
}

std::vector<std::string> model_problems(const Settings& settings) {
  std::vector<std::string> found;
  std::string provider = settings.text("model.provider");
  if (provider == "auto") provider.clear();
  for (const std::string key : {"model.draft", "model.small", "suggest.model"}) {
    const Json& given = settings.value(key);
    if (!given.is_object()) continue;
    const bool is_draft = key == "model.draft", is_suggest = key == "suggest.model";
    for (const auto& [name, value] : given.items()) {
      const bool is_text = name == "provider" || name == "endpoint" || name == "name" ||
                           (is_draft && name == "prompt") || (is_suggest && name == "format");
      const std::string member = "bodkin." + key + ": \"" + name + "\" ";
      if (is_draft && name == "temperature") {
        if (!value.is_number()) found.push_back(member + "must be a number.");
      } else if (!is_text) {
        found.push_back(member + "is unknown; use provider, endpoint, name" +
                        (is_draft     ? ", temperature and prompt."
                         : is_suggest ? " and format."
                                      : "."));
      } else if (!value.is_string()) {
        found.push_back(member + "must be a string.");
      }
    }
    if (const std::string name = text_member(given, "provider"); !name.empty())
      if (const auto known = check_provider(name); !known)
        found.push_back("bodkin." + key + ": " + known.error().message);
  }
  for (const Settings::Layer layer : Settings::kFromTheTop) {
    const Json& model = settings.in_layer(layer, "model");
    if (has_endpoint(model) && provider_in(model).empty() && !provider.empty() &&
        layer != Settings::Layer::chosen)
      found.push_back(
          "bodkin.model.endpoint and its API key settings are ignored: set bodkin.model.provider "
          "next to them, or move them to bodkin.model.providers.");
    const Json& all = settings.in_layer(layer, "model.providers");
    if (all.is_null()) continue;
    if (!all.is_object()) {
      found.push_back("bodkin.model.providers must be an object.");
      continue;
    }
    for (const auto& [name, given] : all.items()) {
      if (!find_provider(name))
        found.push_back("bodkin.model.providers: unknown provider \"" + name + "\".");
      if (!given.is_object()) {
        found.push_back("bodkin.model.providers: \"" + name + "\" must be an object.");
        continue;
      }
      for (const auto& [key, value] : given.items())
        if (std::ranges::find(kKeys, key) == kKeys.end() || !value.is_string())
          found.push_back(
              "bodkin.model.providers: \"" + name + "\": \"" + key +
              "\" is not one of the strings endpoint, apiKeyEnv, apiKeyCommand and apiVersion.");
    }
  }
  return found;
}

ModelSettings user_model_settings(const std::string& provider, const std::string& endpoint,
                                  const std::string& name) {
  Settings settings = own_settings();
  Json model = Json::object();
  if (!provider.empty()) model["provider"] = provider;
  if (!endpoint.empty()) model["endpoint"] = endpoint;
  if (!endpoint.empty() && provider.empty()) model["provider"] = "auto";
  settings.set(Settings::Layer::chosen, {{"model", std::move(model)}});
  ModelSettings result = model_settings(settings);
  if (!name.empty()) result.name = name;
  return result;
}

}  // namespace bodkin::lsp
