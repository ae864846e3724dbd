#include "agent/models/keys.h"

#include <filesystem>

#include "agent/support/held_secrets.h"
#include "agent/support/process.h"
#include "agent/support/url.h"
#include "agent/support/user_folders.h"

namespace bodkin {
namespace {

constexpr std::chrono::seconds kCommandLimit{30};  // a password store may ask for a passphrase

Result<std::string> key_from_command(const std::vector<std::string>& command, const Task& task) {
  const auto wrong = [](const std::string& what) {
    return fail(Error::Code::unavailable,
                "The command in model.apiKeyCommand " + what + ": run it in a shell to see why.",
                "model.apiKeyCommand");
  };
  ProcessRequest request;
  request.arguments = command;
  request.max_output = 16'384;
  request.timeout = kCommandLimit;
  // The user's own program for reading secrets, which may need another secret, start an agent or
  // open a window. It gets the whole environment.
  request.variables = Variables::all;
  request.may_leave_processes = true;
  // It does not run in bodkin's working folder, whose files could influence it.
  std::error_code error;
  const std::string home = home_folder();
  if (std::filesystem::is_directory(home, error)) request.folder = home;
  const auto outcome = run_process(request, task.stop);
  if (!outcome) {
    if (outcome.error().code == Error::Code::cancelled) return std::unexpected(outcome.error());
    return wrong(outcome.error().code == Error::Code::unavailable
                     ? "cannot be started"
                     : "did not finish within 30 seconds");
  }
  std::string key = outcome->output.substr(0, outcome->output.find_first_of("\r\n"));
  while (!key.empty() && key.back() == ' ') key.pop_back();
  if (outcome->exit_code != 0) return wrong("failed");
  if (key.empty()) return wrong("printed no key");
  return key;
}

// "openai" for "openai-chat": the wire formats of a service share its key.
std::string service_of(const Provider& provider) {
  std::string name = provider.name;
  for (const std::string_view format : {"-chat", "-responses"})
    if (name.ends_with(format)) name.resize(name.size() - format.size());
  return name;
}

}  // namespace

std::string secret_name(const Provider& provider, const std::string& origin) {
  const std::string service = service_of(provider);
  return origin == origin_of(provider.endpoint) ? service : service + "@" + origin;
}

// Holds all of them, not only the one that is used: a model may guess any of them.
void hold_environment_keys() {
  for (const Provider& each : providers())
    for (const char* name : each.key_envs()) hold_secret(environment(name));
}

// Decides: which key a request gets.
Result<Key> find_key(const KeySettings& settings, const Provider& provider,
                     const std::string& origin, EditorModels* editor, const Task& task) {
  hold_environment_keys();
  Key key;
  if (!settings.command.empty()) {
    auto text = key_from_command(settings.command, task);
    if (!text) return std::unexpected(text.error());
    key = {*std::move(text), "model.apiKeyCommand"};
  } else {
    key.source = !settings.env.empty() ? settings.env
                 : settings.has_own    ? first_key_env(provider)
                                       : "";
    key.text = environment(key.source.c_str());
    if (!settings.env.empty() && key.text.empty())
      return fail(Error::Code::unavailable,
                  "The environment variable " + settings.env + " (model.apiKeyEnv) is not set.",
                  "model.apiKeyEnv");
    if (key.text.empty() && editor) {
      key = {secret_of(*editor, secret_name(provider, origin), task),
             "the editor, where you entered it"};
      if (key.text.empty()) key.source.clear();
    }
  }
  hold_secret(key.text);
  // It becomes a header's value: a control character would end the header.
  for (const char c : key.text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return fail(Error::Code::invalid_input,
                  "The API key from " + key.source +
                      " contains a line break or another control character.");
  return key;
}

std::string without_key(std::string text, std::string_view key) {
  if (key.size() < 4) return text;
  for (size_t at = 0; (at = text.find(key, at)) != std::string::npos; at += 5)
    text.replace(at, key.size(), "[key]");
  return without_held_secrets(std::move(text));
}

}  // namespace bodkin
