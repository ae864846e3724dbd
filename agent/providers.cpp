#include "agent/providers.h"

#include "agent/replay.h"

namespace bodkin {

const char kNoModel[] =
    "No model: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start "
    "Ollama, LM Studio, llama.cpp or vLLM on this machine, or choose one with the settings "
    "model.provider, model.name and model.endpoint.";

Result<std::unique_ptr<Model>> make_model(const ModelSettings& settings, EditorModel*) {
  if (settings.provider == "replay") return open_replay(settings.name);
  return fail(Error::Code::unavailable, kNoModel);
}

}  // namespace bodkin
