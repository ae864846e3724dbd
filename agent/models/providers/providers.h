// Providers: from the user's settings to a Model (agent/README.md, "Model").
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agent/models/model.h"
#include "agent/models/providers/editor_model.h"

namespace bodkin {

// The user's settings of one provider; they belong together.
struct ProviderSettings {
  std::string endpoint = {};     // base URL; empty: the provider's own
  std::string api_key_env = {};  // the variable that holds the key; empty: the provider's own
  // Prints the key; the program first, no shell. From the user's own settings only.
  std::vector<std::string> api_key_command = {};
  std::string api_version =
      {};  // Anthropic's header, Gemini's path, Azure's query; empty: the default
};

struct ModelSettings {
  // auto | anthropic | openai | openai-compatible | gemini | openrouter | deepseek | mistral | groq
  // | azure | azure-responses | llama.cpp | vllm | lmstudio | ollama | editor | replay, or the name
  // of a wire format: openai-chat | openai-responses
  std::string provider = "auto";
  std::string name = {};      // of the model; replay: the file
  ProviderSettings own = {};  // of `provider`, and of no other; with `auto`: of the endpoint
  std::map<std::string, ProviderSettings> providers = {};  // of the others, by name
  std::vector<std::string> insecure_hosts = {};  // to which a key may be sent without encryption
  int idle_seconds = 0;      // without a byte; 0: 120, or 600 for a local model's first byte
  int progress_seconds = 0;  // without any event other than keep-alives; 0: 300
  int retry_seconds = 0;     // for an overloaded server; 0: two retries, as the SDKs
  int64_t window = 0;        // tokens that the user allows; 0: the model's own
  // False: a server on this machine is not asked about a model that the settings name.
  bool asks_server = true;
  nlohmann::json models = nullptr;  // the user's own entries for the table of models
  bool continues_text = false;      // the model continues a text, instead of a conversation
  // False: the endpoint was not set next to its provider, whose own variable may not be sent there.
  bool owns_key = true;
};

// The model that finishes sketches (agent/ask/draft_model.h).
struct DraftModelSettings {
  std::optional<ModelSettings> model = {};  // nothing: the main one
  std::optional<double> temperature = {};
  std::string prompt = {};
};

// The model that make_model would use, and why: for `bodkin check` and for choosing.
struct ModelChoice {
  std::string provider, name;
  std::string endpoint;    // without user, path and query; empty: nothing is contacted
  std::string reason;      // a part of a sentence: "ANTHROPIC_API_KEY is set"
  std::string key_source;  // "": no key is sent
  ModelFacts facts;
};

struct ChosenModel {
  ModelChoice choice;
  std::unique_ptr<Model> model;
};

// Error: invalid_input, listing the known names.
Result<void> check_provider(std::string_view name);

// A Model for one conversation: keep it for all of its asks and repairs (a replay counts its turns,
// a connection stays open). Use it on one thread at a time. `editor` may be null and outlives the
// Model. `auto` looks for local servers for at most 300 ms. Runs api_key_command if set. The error
// is one sentence that says what to do.
Result<ChosenModel> choose_model(const ModelSettings& settings, EditorModels* editor,
                                 const Task& task);
// Makes only the choice: no key is looked up, and nothing leaves the machine. The name of a local
// server's model may be missing.
Result<ModelChoice> preview_choice(const ModelSettings& settings, EditorModels* editor,
                                   const Task& task);
Result<std::unique_ptr<Model>> make_model(const ModelSettings& settings,
                                          EditorModels* editor = nullptr, const Task& task = {});

// Lists what the user can choose from now: providers whose key is set, the models of local servers,
// the editor's models. Takes at most 300 ms, plus the time the editor needs to list its own.
std::vector<ModelChoice> model_choices(const ModelSettings& settings, EditorModels* editor,
                                       const Task& task);

// The message for the user when no model is available.
extern const char kNoModel[];

}  // namespace bodkin
