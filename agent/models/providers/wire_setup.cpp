#include "agent/models/providers/wire_setup.h"

#include <algorithm>

#include "agent/support/held_secrets.h"
#include "agent/support/url.h"

namespace bodkin {
namespace {

// True if the key in the provider's own variable may be sent there. It is meant for the provider's
// host, for the host in its SDK's variable, and for the endpoint the user set for this provider. An
// OpenAI-compatible server is not OpenAI.
// Decides: which host may have a key.
bool owns_environment_key(const ModelSettings& settings, const Provider& provider,
                          const std::string& base) {
  if (settings.own.endpoint.empty()) return true;
  if (!settings.owns_key) return false;
  if (std::string_view(provider.name) != "openai-compatible")
    return settings.provider == provider.name;
  const std::string named = environment(provider.endpoint_env);
  return !named.empty() && origin_of(named) == origin_of(base);
}

// The provider's own field names and quirks, by its name and host.
void set_quirks(Wire& wire, const Provider& provider, const ModelSettings& settings) {
  const std::string_view name = provider.name;
  wire.azure = name.starts_with("azure");
  wire.mistral = name == "mistral" || wire.base.starts_with("https://api.mistral.ai");
  wire.openai = wire.azure || wire.base.starts_with("https://api.openai.com") ||
                (provider.format == &kOpenaiResponses && name.starts_with("openai"));
  wire.strict = wire.openai || wire.mistral || name == "groq" ||
                wire.base.starts_with("https://api.groq.com");
  wire.api_version = settings.own.api_version;
  if (wire.api_version.empty() && name == "azure")
    wire.api_version = environment("OPENAI_API_VERSION");
  if (wire.api_version.empty() && provider.format == &kGemini)
    if (const std::string version = environment("GOOGLE_GENAI_API_VERSION"); !version.empty())
      wire.api_version = version == "beta" ? "v1beta" : version;
}

}  // namespace

ModelSettings settings_for(const ModelSettings& settings, std::string_view provider) {
  if (settings.provider == provider) return settings;
  ModelSettings result = settings;
  result.provider = provider;
  const auto found = settings.providers.find(std::string(provider));
  result.own = found == settings.providers.end() ? ProviderSettings() : found->second;
  return result;
}

// Decides: the URL of a request.
Result<std::string> endpoint_for(const ModelSettings& settings, const Provider& provider) {
  std::string from = "model.endpoint", url = settings.own.endpoint;
  if (url.empty()) from = provider.endpoint_env, url = environment(provider.endpoint_env);
  if (url.empty()) url = provider.endpoint;
  if (url.empty()) return url;
  if (url.starts_with(':')) url.insert(0, "127.0.0.1");
  if (url.find("://") == std::string::npos) {
    const bool is_here = is_loopback("http://" + url) ||
                         parse_url("http://" + url).value_or(Url()).host == "0.0.0.0";
    url.insert(0, is_here ? "http://" : "https://");
  }
  const auto parsed = parse_url(url);
  if (!parsed || (parsed->scheme != "http" && parsed->scheme != "https"))
    return fail(Error::Code::invalid_input, from + " must be an http or https URL.",
                "model.endpoint");
  if (parsed->has_login)
    return fail(Error::Code::invalid_input,
                from +
                    " must not contain a user name or password: set the API key with "
                    "model.apiKeyEnv or model.apiKeyCommand.",
                "model.endpoint");
  // The part after the host stays as it is.
  const size_t rest = url.find_first_of("/?#", url.find("://") + 3);
  std::string origin = origin_of(url);
  if (const size_t any = origin.find("://0.0.0.0"); parsed->host == "0.0.0.0")
    origin.replace(any, 10, "://127.0.0.1");
  const std::string_view name = provider.name;
  // OLLAMA_HOST may have no port; OpenAI-compatible servers are under /v1.
  if (provider.format == &kOllama && !parsed->has_path && parsed->port.empty() &&
      parsed->scheme == "http")
    origin += ":11434";
  url = origin + (rest == url.npos ? "" : url.substr(rest));
  while (url.ends_with('/')) url.pop_back();
  if (parsed->has_path) return url;
  if (provider.format == &kOpenaiChat && name != "deepseek" && name != "azure") url += "/v1";
  if (provider.format == &kOpenaiResponses) url += name == "azure-responses" ? "/openai/v1" : "/v1";
  return url;
}

Result<Wired> wire_for(const ModelSettings& settings, const Provider& provider, std::string base,
                       EditorModels* editor, const Task& task) {
  Wire wire{std::move(base), "", ""};
  const bool is_own = owns_environment_key(settings, provider, wire.base);
  auto key = find_key({settings.own.api_key_env, settings.own.api_key_command, is_own}, provider,
                      origin_of(wire.base), editor, task);
  if (!key) return std::unexpected(key.error());
  if (key->text.empty() && !provider.is_local && wire.base == provider.endpoint)
    return fail(Error::Code::unavailable,
                "No API key for " + std::string(provider.name) + ": set the environment variable " +
                    std::string(provider.key_env) +
                    ", or model.apiKeyCommand to a command that prints the key.",
                "model.apiKeyEnv");
  const std::string host = parse_url(wire.base).value_or(Url()).host;
  hold_secret(password_in_url(wire.base));
  if (!key->text.empty() && wire.base.starts_with("http://") && !is_loopback(wire.base) &&
      std::ranges::find(settings.insecure_hosts, host) == settings.insecure_hosts.end())
    return fail(Error::Code::invalid_input,
                "The API key is not sent to " + origin_of(wire.base) +
                    " unencrypted: use https, or add " + host + " to model.insecureHosts.",
                "model.insecureHosts");
  wire.key = key->text;
  wire.bearer = key->source == "ANTHROPIC_AUTH_TOKEN";
  set_quirks(wire, provider, settings);
  return Wired{std::move(wire), *std::move(key)};
}

}  // namespace bodkin
