#include "agent/models/providers/providers.h"

#include <algorithm>

#include "agent/models/http/http_model.h"
#include "agent/models/keys.h"
#include "agent/models/model_facts.h"
#include "agent/models/providers/local_servers.h"
#include "agent/models/providers/served_models.h"
#include "agent/models/providers/wire_setup.h"
#include "agent/models/reading_model.h"
#include "agent/models/replay.h"
#include "agent/support/did_you_mean.h"
#include "agent/support/url.h"

namespace bodkin {

const char kNoModel[] =
    "No model: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start "
    "Ollama, LM Studio, llama.cpp or vLLM on this machine, or choose a model with the settings "
    "bodkin.model.provider, model.name and model.endpoint.";

namespace {

using Time = std::chrono::steady_clock::time_point;

// Fills in the model's name and facts from the server's own answers, if it is on this machine or in
// its network. An Ollama is asked by its own API: its OpenAI-compatible one cuts what does not fit.
void ask_local_server(HttpModelOptions& options, const Provider& provider, Time end,
                      const Task& task) {
  Wire& wire = options.wire;
  ModelFacts& facts = options.facts;
  const bool ollama = provider.format == &kOllama;
  const bool is_near = is_loopback(wire.base) || wire.base.starts_with("http://");
  if (!is_near || (!ollama && provider.format != &kOpenaiChat)) {
    if (wire.model.empty()) wire.model = first_model_at(wire.base, wire.key);
    return;
  }
  const LocalModel found = local_model(provider.name, wire.base, wire.model, wire.key, end);
  if (wire.model.empty()) wire.model = found.name;
  if (found.is_ollama && !ollama) {
    options.format = &kOllama;
    wire.base = origin_of(wire.base);
  } else if (found.cuts_prompts && task.report) {
    task.report({Progress::Kind::note,
                 "An Ollama's OpenAI-compatible API cuts prompts that do not fit into its context "
                 "window, silently: choose the provider \"ollama\""});
  }
  // The server may run it with a smaller window than it was made for.
  if (found.window) facts.window = std::min(facts.window.value_or(*found.window), *found.window);
  if (!facts.has_tools) facts.has_tools = found.has_tools;
  if (!facts.has_images) facts.has_images = found.has_images;
}

// OpenAI and Azure list names only; these servers tell more than the table can, and newer facts.
// The user's own entries count more than the list.
bool is_worth_asking(const HttpModelOptions& options, const Provider& provider) {
  const ModelFacts& facts = options.facts;
  const std::string_view name = provider.name;
  const bool says_more = name == "openrouter" || name == "anthropic" || name == "gemini";
  return !options.wire.model.empty() && !options.wire.openai && !provider.is_local &&
         (says_more || (!is_loopback(options.wire.base) && (!facts.window || !facts.price.input)));
}

void add_served_facts(ModelFacts& facts, const ModelFacts& served, const ModelFacts& own) {
  const auto put = [](auto& to, const auto& given, const auto& mine) {
    if (given && !mine) to = given;
  };
  put(facts.window, served.window, own.window);
  put(facts.max_output, served.max_output, own.max_output);
  put(facts.has_tools, served.has_tools, own.has_tools);
  put(facts.has_images, served.has_images, own.has_images);
  if (own.thinks.empty() && (served.thinks == "never" || facts.thinks.empty()))
    facts.thinks = served.thinks;
  if (!served.price.input || own.price.input) return;
  facts.price = served.price;  // none for an hour
  facts.price_up_to_input.reset();
}

// `begun`: when the local servers were first asked, if they were. `only_tell`: as in
// preview_choice().
Result<ChosenModel> make_for(const ModelSettings& settings, const Provider& provider,
                             std::string reason, EditorModels* editor, const Task& task,
                             bool only_tell, std::optional<Time> begun = {}) {
  const std::string name = provider.name;
  HttpModelOptions options;
  options.format = provider.format;
  Wire& wire = options.wire;
  auto base = endpoint_for(settings, provider);
  if (!base) return std::unexpected(base.error());
  wire.base = *std::move(base);
  if (wire.base.empty())
    return fail(Error::Code::invalid_input,
                "The provider \"" + name + "\" needs model.endpoint, the server's base URL.",
                "model.endpoint");
  if (only_tell) {
    const std::string model = settings.name.empty() ? provider.model : settings.name;
    return ChosenModel{{name, model, origin_of(wire.base), std::move(reason), "",
                        facts_of(model, settings.models)},
                       nullptr};
  }
  Result<Wired> wired = wire_for(settings, provider, wire.base, editor, task);
  if (!wired) return std::unexpected(wired.error());
  wire = std::move(wired->wire);
  const Key& key = wired->key;
  wire.model = settings.name.empty() ? provider.model : settings.name;
  if (!wire.model.empty()) options.facts = facts_of(wire.model, settings.models);
  if (provider.is_local && (settings.asks_server || wire.model.empty()))
    ask_local_server(options, provider,
                     begun.value_or(std::chrono::steady_clock::now()) + kLocalLimit, task);
  if (settings.asks_server && is_worth_asking(options, provider))
    add_served_facts(options.facts, served_facts(*options.format, wire, task),
                     own_facts_of(wire.model, settings.models));
  if (settings.continues_text) {
    if (options.format != &kOllama && options.format != &kOpenaiChat)
      return fail(Error::Code::invalid_input,
                  "The provider \"" + name +
                      "\" has no way to continue a text: choose the format "
                      "\"chat\", or a server of local models.");
    options.format = options.format == &kOllama ? &kOllamaGenerate : &kCompletions;
  }
  if (wire.model.empty())
    return fail(Error::Code::invalid_input,
                provider.is_local ? "No model was found at " + origin_of(wire.base) +
                                        ". Is the server running? If it lists none, set model.name."
                                  : "Set model.name: " + name + " has no default model.",
                "model.name");
  if (settings.window > 0) {
    options.facts.window = settings.window;
  } else if (options.format == &kOllama || options.format == &kOllamaGenerate) {
    options.facts.window = std::min(options.facts.window.value_or(kOllamaWindow), kOllamaWindow);
  }
  wire.window = options.facts.window;
  wire.max_output = options.facts.max_output;
  wire.thinks = options.facts.thinks;
  wire.keeps_an_hour = options.facts.price.cache_write_hour.has_value();
  const bool local = is_loopback(wire.base);
  const auto seconds = [](int given, int otherwise) {
    return std::chrono::milliseconds(1000LL * (given > 0 ? given : otherwise));
  };
  // A local model may process a long prompt for minutes before its first token.
  options.first_byte = seconds(settings.idle_seconds, local ? 600 : 120);
  options.idle = seconds(settings.idle_seconds, 120);
  options.progress = seconds(settings.progress_seconds, 300);
  options.patience = std::chrono::seconds(settings.retry_seconds);
  options.description = wire.model + " at " + origin_of(wire.base);
  if (!key.text.empty()) options.key_source = key.source;
  ModelChoice choice{name,       wire.model,   origin_of(wire.base), std::move(reason),
                     key.source, options.facts};
  if (key.text.empty()) choice.key_source.clear();
  return ChosenModel{std::move(choice), make_http_model(std::move(options))};
}

Result<ChosenModel> make_for_editor(const ModelSettings& settings, std::string reason,
                                    EditorModels& editor) {
  EditorModelFacts facts{settings.name, "", std::nullopt};
  ModelChoice choice{"editor", settings.name, "", std::move(reason), "", {}};
  return ChosenModel{std::move(choice), make_editor_model(editor, std::move(facts))};
}

// Why `auto` would choose this provider (its key is set); else "".
std::string key_reason(const ModelSettings& settings, const Provider& provider,
                       EditorModels* editor, const Task& task) {
  const ProviderSettings& own = settings.own;
  if (!own.api_key_command.empty()) return "model.apiKeyCommand is set";
  const std::string env = own.api_key_env.empty() ? first_key_env(provider) : own.api_key_env;
  if (!environment(env.c_str()).empty()) return env + " is set";
  const auto base = endpoint_for(settings, provider);
  if (editor && base && !secret_of(*editor, secret_name(provider, origin_of(*base)), task).empty())
    return "its key was entered in the editor";
  return {};
}

// Decides: which model is asked if the settings name none.
Result<ChosenModel> choose_automatically(const ModelSettings& settings, EditorModels* editor,
                                         const Task& task, bool only_tell) {
  for (const char* name : auto_providers()) {
    const Provider& provider = *find_provider(name);
    const ModelSettings its = settings_for(settings, name);
    if (const std::string reason = key_reason(its, provider, editor, task); !reason.empty())
      return make_for(its, provider, reason, editor, task, only_tell);
  }
  const auto begun = std::chrono::steady_clock::now();
  for (const LocalServer& server : find_local_servers()) {
    // Its key, if set, is meant for the endpoint in the settings.
    ModelSettings local = settings_for(settings, server.provider);
    if (!local.own.endpoint.empty()) local.own = {};
    local.own.endpoint = server.endpoint;
    if (local.name.empty() && !server.models.empty()) local.name = server.models.front().name;
    if (local.name.empty()) continue;
    return make_for(local, *find_provider(server.provider),
                    "no API key is set, and " + server.provider + " is running on this machine",
                    editor, task, only_tell, begun);
  }
  // An editor that can pass on models may have none, as VS Code without an extension that brings
  // one.
  if (editor && !list_editor_models(*editor, task).empty())
    return make_for_editor(
        settings,
        "no API key is set, no model server is running on this machine, and the editor has models",
        *editor);
  return fail(Error::Code::unavailable, kNoModel, "model.provider");
}

Result<ChosenModel> choose(const ModelSettings& settings, EditorModels* editor, const Task& task,
                           bool only_tell) {
  const std::string said = "model.provider is \"" + settings.provider + "\"";
  if (settings.provider == "replay") {
    if (only_tell) return ChosenModel{{"replay", settings.name, "", said, "", {}}, nullptr};
    auto replay = open_replay(settings.name);
    if (!replay) return std::unexpected(replay.error());
    return ChosenModel{{"replay", settings.name, "", said, "", {}}, *std::move(replay)};
  }
  if (settings.provider == "editor") {
    if (!editor || !editor->has_models())
      return fail(Error::Code::unavailable,
                  "This editor does not provide models: choose another model.provider.",
                  "model.provider");
    return make_for_editor(settings, said, *editor);
  }
  if (settings.provider != "auto" && !settings.provider.empty()) {
    if (const auto known = check_provider(settings.provider); !known)
      return std::unexpected(known.error());
    return make_for(settings, *find_provider(settings.provider), said, editor, task, only_tell);
  }
  if (!settings.own.endpoint.empty())
    return make_for(settings, *find_provider("openai-compatible"), "model.endpoint is set", editor,
                    task, only_tell);
  return choose_automatically(settings, editor, task, only_tell);
}

}  // namespace

Result<void> check_provider(std::string_view name) {
  if (name == "auto" || name == "editor" || name == "replay" || find_provider(name)) return {};
  std::vector<std::string> names = {"auto"};
  for (const Provider& provider : providers()) names.emplace_back(provider.name);
  names.insert(names.end(), {"editor", "replay"});
  std::string all;
  for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
  const std::string given(name);
  return fail(Error::Code::invalid_input,
              "Unknown provider \"" + given + "\"" + did_you_mean(given, names) + ": use one of " +
                  all + ".",
              "model.provider");
}

Result<ChosenModel> choose_model(const ModelSettings& settings, EditorModels* editor,
                                 const Task& task) {
  auto chosen = choose(settings, editor, task, false);
  // A continued text has no thoughts or calls to look for.
  if (chosen && chosen->model && !settings.continues_text)
    chosen->model = reading_model(std::move(chosen->model));
  return chosen;
}

Result<ModelChoice> preview_choice(const ModelSettings& settings, EditorModels* editor,
                                   const Task& task) {
  auto chosen = choose(settings, editor, task, true);
  if (!chosen) return std::unexpected(chosen.error());
  return std::move(chosen->choice);
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
    const ModelSettings its = settings_for(settings, name);
    const std::string reason = key_reason(its, provider, editor, task);
    if (reason.empty()) continue;
    const auto base = endpoint_for(its, provider);
    if (!base) continue;
    choices.push_back({std::string(name), provider.model, origin_of(*base), reason, "",
                       facts_of(provider.model, settings.models)});
  }
  for (const LocalServer& server : find_local_servers())
    for (const LocalModel& model : server.models)
      choices.push_back({server.provider,
                         model.name,
                         origin_of(server.endpoint),
                         "running on this machine",
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
