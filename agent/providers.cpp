#include "agent/providers.h"

#include <algorithm>

#include "agent/http_model.h"
#include "agent/keys.h"
#include "agent/local_servers.h"
#include "agent/model_facts.h"
#include "agent/replay.h"
#include "agent/url.h"

namespace bodkin {

const char kNoModel[] =
    "No model: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start "
    "Ollama, LM Studio, llama.cpp or vLLM on this machine, or choose one with the settings "
    "model.provider, model.name and model.endpoint.";

namespace {

std::string endpoint_for(const ModelSettings& settings, const Provider& provider) {
  std::string url = settings.endpoint;
  if (url.empty()) url = environment(provider.endpoint_env);
  if (url.empty()) url = provider.endpoint;
  if (!url.empty() && url.find("://") == std::string::npos) url = "http://" + url;
  if (const size_t any = url.find("://0.0.0.0"); any != std::string::npos)
    url.replace(any, 10, "://127.0.0.1");
  while (url.ends_with('/')) url.pop_back();
  if (url.empty()) return url;
  const std::string_view name = provider.name;
  const bool no_path = url == origin_of(url);
  // OLLAMA_HOST may have no port; the compatibles live under /v1.
  if (provider.dialect == &kOllama && no_path &&
      url.find(':', url.find("://") + 3) == std::string::npos && !url.starts_with("https:"))
    url += ":11434";
  if (provider.dialect == &kOpenaiChat && no_path && name != "deepseek" && name != "azure")
    url += "/v1";
  if (provider.dialect == &kOpenaiResponses && no_path)
    url += name == "azure-responses" ? "/openai/v1" : "/v1";
  return url;
}

// The provider's own field names and habits, by its name and host.
void set_quirks(Wire& wire, const Provider& provider, const ModelSettings& settings) {
  const std::string_view name = provider.name;
  wire.azure = name.starts_with("azure");
  wire.mistral = name == "mistral" || wire.base.starts_with("https://api.mistral.ai");
  wire.openai = wire.azure || wire.base.starts_with("https://api.openai.com") ||
                (provider.dialect == &kOpenaiResponses && name.starts_with("openai"));
  wire.strict = wire.openai || wire.mistral || name == "groq" ||
                wire.base.starts_with("https://api.groq.com");
  wire.api_version = settings.api_version;
  if (wire.api_version.empty() && name == "azure")
    wire.api_version = environment("OPENAI_API_VERSION");
  if (wire.api_version.empty() && provider.dialect == &kGemini)
    if (const std::string version = environment("GOOGLE_GENAI_API_VERSION"); !version.empty())
      wire.api_version = version == "beta" ? "v1beta" : version;
}

using Time = std::chrono::steady_clock::time_point;

// Fills the model's name and facts from what the server says of itself, if it is on this machine.
void ask_local_server(Wire& wire, const Provider& provider, ModelFacts& facts, Time end) {
  const bool ollama = provider.dialect == &kOllama;
  if (!ollama && !(provider.dialect == &kOpenaiChat && is_loopback(wire.base))) {
    if (wire.model.empty() && provider.is_local) wire.model = first_model_at(wire.base, wire.key);
    return;
  }
  if (!is_loopback(wire.base) && !wire.model.empty()) return;
  const LocalModel found = local_model(provider.name, wire.base, wire.model, wire.key, end);
  if (wire.model.empty()) wire.model = found.name;
  if (!facts.window) facts.window = found.window;
  if (!facts.has_tools) facts.has_tools = found.has_tools;
  if (!facts.has_images) facts.has_images = found.has_images;
}

// `begun`: when the servers of this machine were first asked, if they were.
Result<ChosenModel> make_for(const ModelSettings& settings, const Provider& provider,
                             std::string reason, EditorModels* editor, const Task& task,
                             std::optional<Time> begun = {}) {
  const std::string name = provider.name;
  auto key = find_key({settings.api_key_env, settings.api_key_command, settings.api_key}, provider,
                      editor, task);
  if (!key) return std::unexpected(key.error());
  HttpModelOptions options;
  options.dialect = provider.dialect;
  Wire& wire = options.wire;
  wire.base = endpoint_for(settings, provider);
  if (wire.base.empty())
    return fail(Error::Code::invalid_input,
                "The provider \"" + name + "\" needs model.endpoint, the server's base URL.");
  if (!wire.base.starts_with("http://") && !wire.base.starts_with("https://"))
    return fail(Error::Code::invalid_input, "model.endpoint must be an http or https URL.");
  if (key->text.empty() && !provider.is_local && wire.base == provider.endpoint)
    return fail(Error::Code::unavailable,
                "No key for " + name + ": set the environment variable " +
                    std::string(provider.key_envs[0]) +
                    ", or model.apiKeyCommand to a command that prints the key.");
  if (!key->text.empty() && wire.base.starts_with("http://") && !is_loopback(wire.base) &&
      settings.endpoint.empty())
    return fail(Error::Code::invalid_input,
                "The key is not sent to " + origin_of(wire.base) +
                    " without encryption: use https, or set model.endpoint to say that you mean "
                    "it.");
  wire.key = key->text;
  wire.bearer = key->source == "ANTHROPIC_AUTH_TOKEN";
  set_quirks(wire, provider, settings);
  wire.model = settings.name.empty() ? provider.model : settings.name;
  if (!wire.model.empty()) options.facts = facts_of(wire.model, settings.models);
  if (provider.is_local && (settings.asks_server || wire.model.empty()))
    ask_local_server(wire, provider, options.facts,
                     begun.value_or(std::chrono::steady_clock::now()) + kLocalLimit);
  if (wire.model.empty())
    return fail(Error::Code::invalid_input, "Set model.name: which model of " + name + " at " +
                                                origin_of(wire.base) + " is meant is not known.");
  wire.window = options.facts.window;
  wire.max_output = options.facts.max_output;
  const bool local = is_loopback(wire.base);
  const auto seconds = [](int given, int otherwise) {
    return std::chrono::milliseconds(1000LL * (given > 0 ? given : otherwise));
  };
  // A local model may read a long prompt for minutes before its first word.
  options.first_byte = seconds(settings.idle_seconds, local ? 600 : 120);
  options.idle = seconds(settings.idle_seconds, 120);
  options.progress = seconds(settings.progress_seconds, 300);
  options.description = wire.model + " at " + origin_of(wire.base);
  ModelChoice choice{name,        wire.model,   origin_of(wire.base), std::move(reason),
                     key->source, options.facts};
  if (key->text.empty()) choice.key_source.clear();
  return ChosenModel{std::move(choice), make_http_model(std::move(options))};
}

Result<ChosenModel> make_for_editor(const ModelSettings& settings, std::string reason,
                                    EditorModels& editor) {
  EditorModelFacts facts{settings.name, "", "", std::nullopt};
  ModelChoice choice{"editor", settings.name, "", std::move(reason), "", {}};
  return ChosenModel{std::move(choice), make_editor_model(editor, std::move(facts))};
}

// A provider whose key is there, for `auto`; why, or "".
std::string key_reason(const Provider& provider, EditorModels* editor, const Task& task) {
  if (const std::string env = first_key_env(provider); !env.empty()) return env + " is set";
  if (editor && !secret_of(*editor, provider.name, task).empty())
    return "the editor's secret store has a key for it";
  return {};
}

Result<ChosenModel> choose_automatically(const ModelSettings& settings, EditorModels* editor,
                                         const Task& task) {
  for (const char* name : auto_providers()) {
    const Provider& provider = *find_provider(name);
    if (const std::string reason = key_reason(provider, editor, task); !reason.empty())
      return make_for(settings, provider, reason, editor, task);
  }
  const auto begun = std::chrono::steady_clock::now();
  for (const LocalServer& server : find_local_servers()) {
    ModelSettings local = settings;
    local.endpoint = server.endpoint;
    if (local.name.empty() && !server.models.empty()) local.name = server.models.front().name;
    if (local.name.empty()) continue;
    return make_for(local, *find_provider(server.provider),
                    "no key is set, and " + server.provider + " answers on this machine", editor,
                    task, begun);
  }
  if (editor && editor->has_models())
    return make_for_editor(settings,
                           "no key is set, no model server answers on this machine, and "
                           "the editor has models",
                           *editor);
  return fail(Error::Code::unavailable, kNoModel);
}

}  // namespace

Result<ChosenModel> choose_model(const ModelSettings& settings, EditorModels* editor,
                                 const Task& task) {
  const std::string said = "model.provider is \"" + settings.provider + "\"";
  if (settings.provider == "replay") {
    auto replay = open_replay(settings.name);
    if (!replay) return std::unexpected(replay.error());
    return ChosenModel{{"replay", settings.name, "", said, "", {}}, *std::move(replay)};
  }
  if (settings.provider == "editor") {
    if (!editor || !editor->has_models())
      return fail(Error::Code::unavailable,
                  "This editor offers no model of its own: choose another model.provider.");
    return make_for_editor(settings, said, *editor);
  }
  if (settings.provider != "auto" && !settings.provider.empty()) {
    if (const Provider* provider = find_provider(settings.provider))
      return make_for(settings, *provider, said, editor, task);
    std::string names;
    for (const Provider& provider : providers()) names += std::string(provider.name) + ", ";
    return fail(Error::Code::invalid_input, "The provider \"" + settings.provider +
                                                "\" is not known: use one of auto, " + names +
                                                "editor, replay.");
  }
  if (!settings.endpoint.empty())
    return make_for(settings, *find_provider("openai-compatible"), "model.endpoint is set", editor,
                    task);
  return choose_automatically(settings, editor, task);
}

Result<std::unique_ptr<Model>> make_model(const ModelSettings& settings, EditorModels* editor,
                                          const Task& task) {
  auto chosen = choose_model(settings, editor, task);
  if (!chosen) return std::unexpected(chosen.error());
  return std::move(chosen->model);
}

std::vector<ModelChoice> model_choices(const ModelSettings& settings, EditorModels* editor,
                                       const Task& task) {
  std::vector<ModelChoice> choices;
  for (const Provider& provider : providers()) {
    const std::string_view name = provider.name;
    if (provider.is_local || !*provider.endpoint || name == "openai-chat" ||
        name == "openai-responses")
      continue;
    const std::string reason = key_reason(provider, editor, task);
    if (reason.empty()) continue;
    choices.push_back({std::string(name), provider.model, origin_of(provider.endpoint), reason, "",
                       facts_of(provider.model, settings.models)});
  }
  for (const LocalServer& server : find_local_servers())
    for (const LocalModel& model : server.models)
      choices.push_back({server.provider,
                         model.name,
                         origin_of(server.endpoint),
                         "it answers on this machine",
                         "",
                         {.window = model.window, .has_tools = model.has_tools}});
  if (editor)
    for (const EditorModelFacts& model : list_editor_models(*editor, task))
      choices.push_back({"editor",
                         model.id,
                         "",
                         (model.name.empty() ? model.id : model.name) + " of the editor",
                         "",
                         {.window = model.max_input_tokens, .has_tools = model.has_tools}});
  return choices;
}

}  // namespace bodkin
