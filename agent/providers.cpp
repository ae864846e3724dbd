#include "agent/providers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>

#include "agent/http_model.h"
#include "agent/local_servers.h"
#include "agent/replay.h"

namespace bodkin {

const char kNoModel[] =
    "No model: set ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, start "
    "Ollama, LM Studio, llama.cpp or vLLM on this machine, or choose one with the settings "
    "model.provider, model.name and model.endpoint.";

namespace {

struct Provider {
  const char* name;
  const Dialect* dialect;
  const char* endpoint;      // "": the person must say it
  const char* endpoint_env;  // of the official SDK, "": none
  const char* key_envs[3];   // the first that is set counts
  const char* model;         // where none is chosen; "": the person must, or the server is asked
  bool is_local;             // needs no key
};

constexpr Provider kProviders[] = {
    {"anthropic",
     &kAnthropic,
     "https://api.anthropic.com",
     "ANTHROPIC_BASE_URL",
     {"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"},
     "claude-opus-5-5",
     false},
    {"openai",
     &kOpenaiResponses,
     "https://api.openai.com/v1",
     "OPENAI_BASE_URL",
     {"OPENAI_API_KEY"},
     "gpt-6.1-sol",
     false},
    {"openai-responses",
     &kOpenaiResponses,
     "https://api.openai.com/v1",
     "OPENAI_BASE_URL",
     {"OPENAI_API_KEY"},
     "gpt-6.1-sol",
     false},
    {"openai-chat",
     &kOpenaiChat,
     "https://api.openai.com/v1",
     "OPENAI_BASE_URL",
     {"OPENAI_API_KEY"},
     "gpt-6.1-sol",
     false},
    {"openai-compatible", &kOpenaiChat, "", "OPENAI_BASE_URL", {"OPENAI_API_KEY"}, "", true},
    {"gemini",
     &kGemini,
     "https://generativelanguage.googleapis.com",
     "GOOGLE_GEMINI_BASE_URL",
     {"GOOGLE_API_KEY", "GEMINI_API_KEY"},
     "gemini-3.8-flash",
     false},
    {"openrouter",
     &kOpenaiChat,
     "https://openrouter.ai/api/v1",
     "",
     {"OPENROUTER_API_KEY"},
     "openrouter/auto",
     false},
    {"deepseek",
     &kOpenaiChat,
     "https://api.deepseek.com",
     "",
     {"DEEPSEEK_API_KEY"},
     "deepseek-chat",
     false},
    {"mistral", &kOpenaiChat, "https://api.mistral.ai/v1", "", {"MISTRAL_API_KEY"}, "", false},
    {"groq", &kOpenaiChat, "https://api.groq.com/openai/v1", "", {"GROQ_API_KEY"}, "", false},
    {"azure", &kOpenaiChat, "", "", {"AZURE_OPENAI_API_KEY"}, "", false},
    {"llama.cpp", &kOpenaiChat, "http://127.0.0.1:8080/v1", "", {}, "", true},
    {"vllm", &kOpenaiChat, "http://127.0.0.1:8000/v1", "", {}, "", true},
    {"lmstudio",
     &kOpenaiChat,
     "http://127.0.0.1:1234/v1",
     "",
     {"LM_API_TOKEN", "LMSTUDIO_API_KEY"},
     "",
     true},
    {"ollama", &kOllama, "http://127.0.0.1:11434", "OLLAMA_HOST", {"OLLAMA_API_KEY"}, "", true},
};
// `auto`: whose key is looked for, in this order.
constexpr const char* kAutoProviders[] = {"anthropic", "openai", "gemini", "openrouter"};

const Provider* find_provider(std::string_view name) {
  const auto found =
      std::ranges::find_if(kProviders, [&](const Provider& p) { return p.name == name; });
  return found == std::end(kProviders) ? nullptr : &*found;
}

std::string environment(const char* name) {
  const char* value = name && *name ? std::getenv(name) : nullptr;
  return value ? value : "";
}

std::string first_key_env(const Provider& provider) {
  for (const char* name : provider.key_envs)
    if (name && !environment(name).empty()) return name;
  return {};
}

// Its standard input is not ours: that is the editor's connection.
Result<std::string> key_from_command(const std::string& command) {
  FILE* pipe = popen(("(" + command + "\n) </dev/null").c_str(), "re");
  if (!pipe)
    return fail(Error::Code::unavailable, "The command in model.apiKeyCommand cannot be started.");
  std::string key;
  char buffer[512];
  for (size_t n; key.size() < 16384 && (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    key.append(buffer, n);
  const int status = pclose(pipe);
  key = key.substr(0, key.find_first_of("\r\n"));
  while (!key.empty() && key.back() == ' ') key.pop_back();
  if (status != 0 || key.empty())
    return fail(Error::Code::unavailable,
                "The command in model.apiKeyCommand " +
                    std::string(status != 0 ? "failed" : "printed no key") +
                    ": run it in a shell to see why.");
  return key;
}

struct Key {
  std::string text, env;  // env: where it came from
};

Result<Key> key_for(const ModelSettings& settings, const Provider& provider) {
  if (!settings.api_key.empty()) return Key{settings.api_key, ""};
  if (!settings.api_key_command.empty()) {
    auto key = key_from_command(settings.api_key_command);
    if (!key) return std::unexpected(key.error());
    return Key{*std::move(key), ""};
  }
  const std::string env =
      settings.api_key_env.empty() ? first_key_env(provider) : settings.api_key_env;
  Key key{environment(env.c_str()), env};
  if (key.text.find_first_of("\r\n") != std::string::npos)
    return fail(Error::Code::invalid_input, "The key in " + env + " contains a line end.");
  if (!settings.api_key_env.empty() && key.text.empty())
    return fail(Error::Code::unavailable,
                "The environment variable " + env + " (model.apiKeyEnv) is not set.");
  return key;
}

std::string endpoint_for(const ModelSettings& settings, const Provider& provider) {
  std::string url = settings.endpoint;
  if (url.empty()) url = environment(provider.endpoint_env);
  if (url.empty()) url = provider.endpoint;
  if (!url.empty() && url.find("://") == std::string::npos) url = "http://" + url;
  if (const size_t any = url.find("://0.0.0.0"); any != std::string::npos)
    url.replace(any, 10, "://127.0.0.1");
  while (url.ends_with('/')) url.pop_back();
  if (url.empty()) return url;
  const bool no_path = url == origin_of(url);
  // OLLAMA_HOST may have no port; the compatibles live under /v1.
  if (provider.dialect == &kOllama && no_path &&
      url.find(':', url.find("://") + 3) == std::string::npos && !url.starts_with("https:"))
    url += ":11434";
  if (provider.dialect == &kOpenaiChat && no_path && provider.name != std::string_view("deepseek"))
    url += "/v1";
  if (provider.dialect == &kOpenaiResponses && no_path) url += "/v1";
  return url;
}

// The only model, or the first one, of a server that lists its models.
std::string first_model_at(const Provider& provider, const std::string& base) {
  const bool ollama = provider.dialect == &kOllama;
  const auto bodies =
      fetch_all({ollama ? base + "/api/tags" : base + "/models"}, std::chrono::milliseconds(300));
  const auto list = parse_wire_json(bodies[0].value_or(""));
  if (!list) return {};
  const nlohmann::json& models = at(*list, ollama ? "models" : "data");
  return models.is_array() && !models.empty() ? string_at(models.front(), ollama ? "name" : "id")
                                              : "";
}

Result<std::unique_ptr<Model>> make_for(const ModelSettings& settings, const Provider& provider) {
  HttpModelOptions options;
  options.dialect = provider.dialect;
  auto key = key_for(settings, provider);
  if (!key) return std::unexpected(key.error());
  Wire& wire = options.wire;
  wire.base = endpoint_for(settings, provider);
  const std::string name = provider.name;
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
  wire.bearer = key->env == "ANTHROPIC_AUTH_TOKEN";
  wire.api_version = settings.api_version;
  wire.openai = provider.dialect == &kOpenaiChat &&
                (name == "azure" || wire.base.starts_with("https://api.openai.com"));
  wire.azure = name == "azure";
  wire.model = settings.name.empty() ? provider.model : settings.name;
  if (wire.model.empty()) wire.model = first_model_at(provider, wire.base);
  if (wire.model.empty())
    return fail(Error::Code::invalid_input, "Set model.name: which model of " + name + " at " +
                                                origin_of(wire.base) + " is meant is not known.");
  const bool local = is_loopback(wire.base);
  const auto seconds = [](int given, int otherwise) {
    return std::chrono::milliseconds(1000LL * (given > 0 ? given : otherwise));
  };
  // A local model may read a long prompt for minutes before its first word.
  options.first_byte = seconds(settings.idle_seconds, local ? 600 : 120);
  options.idle = seconds(settings.idle_seconds, 120);
  options.progress = seconds(settings.progress_seconds, 300);
  options.description = wire.model + " at " + origin_of(wire.base);
  return make_http_model(std::move(options));
}

class EditorModelAdapter : public Model {
 public:
  EditorModelAdapter(EditorModel& editor, std::string name)
      : editor_(editor), name_(std::move(name)) {}
  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    return editor_.respond(name_, request, task);
  }
  std::string description() const override {
    return name_.empty() ? "the editor's model" : name_ + " of the editor";
  }
  bool has_tools() const override { return false; }

 private:
  EditorModel& editor_;
  std::string name_;
};

}  // namespace

Result<std::unique_ptr<Model>> make_model(const ModelSettings& settings, EditorModel* editor) {
  if (settings.provider == "replay") return open_replay(settings.name);
  const bool has_editor = editor && editor->is_there();
  if (settings.provider == "editor") {
    if (!has_editor)
      return fail(Error::Code::unavailable,
                  "This editor offers no model of its own: choose another model.provider.");
    return std::make_unique<EditorModelAdapter>(*editor, settings.name);
  }
  if (settings.provider != "auto" && !settings.provider.empty()) {
    if (const Provider* provider = find_provider(settings.provider))
      return make_for(settings, *provider);
    std::string names;
    for (const Provider& provider : kProviders) names += std::string(provider.name) + ", ";
    return fail(Error::Code::invalid_input, "The provider \"" + settings.provider +
                                                "\" is not known: use one of auto, " + names +
                                                "editor, replay.");
  }
  if (!settings.endpoint.empty()) return make_for(settings, *find_provider("openai-compatible"));
  for (const char* name : kAutoProviders) {
    const Provider& provider = *find_provider(name);
    if (!first_key_env(provider).empty()) return make_for(settings, provider);
  }
  for (const LocalServer& server : find_local_servers()) {
    ModelSettings local = settings;
    local.endpoint = server.endpoint;
    if (local.name.empty() && !server.models.empty()) local.name = server.models.front();
    if (local.name.empty()) continue;
    return make_for(local, *find_provider(server.provider));
  }
  if (has_editor) return std::make_unique<EditorModelAdapter>(*editor, settings.name);
  return fail(Error::Code::unavailable, kNoModel);
}

}  // namespace bodkin
