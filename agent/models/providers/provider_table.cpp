#include "agent/models/providers/provider_table.h"

#include <algorithm>
#include <cctype>

#include "agent/platform/paths.h"

namespace bodkin {
namespace {

// Decides: which providers there are.
constexpr Provider kProviders[] = {
    {"anthropic", &kAnthropic, "https://api.anthropic.com", "ANTHROPIC_BASE_URL",
     "ANTHROPIC_API_KEY", "claude-opus-5-5", false, "Anthropic", "ANTHROPIC_AUTH_TOKEN"},
    {"openai", &kOpenaiResponses, "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY",
     "gpt-6.2-sol", false, "OpenAI"},
    {"openai-responses", &kOpenaiResponses, "https://api.openai.com/v1", "OPENAI_BASE_URL",
     "OPENAI_API_KEY", "gpt-6.2-sol", false},
    {"openai-chat", &kOpenaiChat, "https://api.openai.com/v1", "OPENAI_BASE_URL", "OPENAI_API_KEY",
     "gpt-6.2-sol", false},
    {"gemini", &kGemini, "https://generativelanguage.googleapis.com", "GOOGLE_GEMINI_BASE_URL",
     "GOOGLE_API_KEY", "gemini-3.8-flash", false, "Google Gemini", "GEMINI_API_KEY"},
    {"openrouter", &kOpenaiChat, "https://openrouter.ai/api/v1", "", "OPENROUTER_API_KEY",
     "openrouter/auto", false, "OpenRouter"},
    {"deepseek", &kOpenaiChat, "https://api.deepseek.com", "", "DEEPSEEK_API_KEY", "deepseek-flash",
     false, "DeepSeek"},
    {"mistral", &kOpenaiChat, "https://api.mistral.ai/v1", "", "MISTRAL_API_KEY", "", false,
     "Mistral"},
    {"groq", &kOpenaiChat, "https://api.groq.com/openai/v1", "", "GROQ_API_KEY", "", false, "Groq"},
    {"azure", &kOpenaiChat, "", "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY", "", false,
     "Azure OpenAI"},
    // OpenAI's newer models support tools only here (of others, only some are available here).
    {"azure-responses", &kOpenaiResponses, "", "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY", "",
     false},
    {"llama.cpp", &kOpenaiChat, "http://127.0.0.1:8080/v1", "", "LLAMA_API_KEY", "", true},
    {"vllm", &kOpenaiChat, "http://127.0.0.1:8000/v1", "", "VLLM_API_KEY", "", true},
    {"lmstudio", &kOpenaiChat, "http://127.0.0.1:1234/v1", "", "LM_API_TOKEN", "", true, nullptr,
     "LMSTUDIO_API_KEY"},
    {"ollama", &kOllama, "http://127.0.0.1:11434", "OLLAMA_HOST", "OLLAMA_API_KEY", "", true,
     "Ollama"},
    {"openai-compatible", &kOpenaiChat, "", "OPENAI_BASE_URL", "OPENAI_API_KEY", "", true,
     "Another OpenAI-compatible server"},
};

constexpr const char* kAutoProviders[] = {"anthropic", "openai", "gemini", "openrouter"};

}  // namespace

std::span<const Provider> providers() { return kProviders; }

const Provider* find_provider(std::string_view name) {
  const auto found =
      std::ranges::find_if(kProviders, [&](const Provider& p) { return p.name == name; });
  return found == std::end(kProviders) ? nullptr : &*found;
}

std::span<const char* const> auto_providers() { return kAutoProviders; }

std::string environment(const char* name) {
  const char* value = name && *name ? os::getenv(name) : nullptr;
  return value ? value : "";
}

const char* key_variable(const Provider& provider) {
  std::string own;
  for (const char c : std::string_view(provider.name))
    own += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const char* name : provider.key_envs())
    if (std::string_view(name).starts_with(own)) return name;
  return provider.key_env;
}

std::string first_key_env(const Provider& provider) {
  for (const char* name : provider.key_envs())
    if (!environment(name).empty()) return name;
  return {};
}

}  // namespace bodkin
