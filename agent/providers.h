// Providers: from the person's settings to a Model (agent.md, "Model").
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "agent/model.h"

namespace bodkin {

struct ModelSettings {
  // auto | anthropic | openai | openai-compatible | gemini | openrouter | deepseek | mistral | groq
  // | azure | llama.cpp | vllm | lmstudio | ollama | editor | replay, or the name of a dialect:
  // openai-chat | openai-responses
  std::string provider = "auto";
  std::string name = {};        // of the model; replay: the file
  std::string endpoint;         // base URL; empty: the provider's own
  std::string api_key_env;      // the variable that holds the key; empty: the provider's own
  std::string api_key_command;  // a shell command that prints the key (from user settings only)
  std::string api_key;          // from the client's secret store; never logged
  std::string api_version;      // Anthropic's header, Gemini's path; empty: the default
  int idle_seconds = 0;         // without a byte; 0: 120, or 600 for a local model's first byte
  int progress_seconds = 0;     // without an event that is no keep-alive; 0: 300
};

// The editor's own model, asked through the client (bodkin/models/request). lsp/ implements it.
class EditorModel {
 public:
  virtual ~EditorModel() = default;
  virtual bool is_there() const = 0;
  virtual std::expected<ModelReply, ModelError> respond(const std::string& model,
                                                        const ModelRequest& request,
                                                        const Task& task) = 0;
};

// A Model for one conversation: keep it for all its asks and repairs (a replay counts its turns, a
// connection stays open). Use it on one thread at a time. `editor` may be null and outlives the
// Model. `auto` looks for local servers for at most 300 ms. Runs api_key_command, if there is one.
// The error is one sentence that says what to do.
Result<std::unique_ptr<Model>> make_model(const ModelSettings& settings,
                                          EditorModel* editor = nullptr);

// What to do when there is no model.
extern const char kNoModel[];

}  // namespace bodkin
