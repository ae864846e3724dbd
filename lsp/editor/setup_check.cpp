#include "lsp/editor/setup_check.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "agent/models/model_facts.h"
#include "agent/models/providers/local_servers.h"
#include "agent/models/providers/provider_table.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "agent/tools/mcp.h"
#include "grammars/languages.h"
#include "lsp/workspace/settings.h"

namespace bodkin {
namespace {

using lsp::Json;

// One line for each finding: "model      openai: gpt-6.1-sol at …".
class Lines {
 public:
  explicit Lines(const SayLine& say) : say_(say) {}
  void operator()(std::string part, const std::string& sentence) const {
    part.resize(11, ' ');
    say_(part + sentence);
  }

 private:
  const SayLine& say_;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

void say_settings(const Lines& say) {
  const std::string path = lsp::config_folder() + "/settings.json";
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    say("settings", path + " does not exist; using the defaults.");
  else if (lsp::user_settings().is_discarded())
    say("settings", path + " " + lsp::what_is_wrong_with_user_file() +
                        "; using the defaults, and the model is denied everything.");
  else
    say("settings", "Using " + path + ".");
}

void say_keys(const Lines& say) {
  std::string there;
  for (const Provider& provider : providers())
    for (const char* name : provider.key_envs)
      if (name && !environment(name).empty() && there.find(name) == std::string::npos)
        there += (there.empty() ? "" : ", ") + std::string(name);
  say("keys", there.empty() ? "No provider's API key variable is set in the environment."
                            : "Set in the environment: " + there + ".");
}

void say_facts(const Lines& say, const ModelFacts& facts) {
  std::string text;
  if (facts.window) text += "a context window of " + std::to_string(*facts.window) + " tokens, ";
  if (facts.has_tools)
    text += *facts.has_tools ? "tool calls, " : "no tool calls (edits come as text), ";
  if (facts.input && facts.output)
    text += "USD " + number(*facts.input) + " in and " + number(*facts.output) +
            " out per million tokens, ";
  else
    text += "no known price, ";
  say("", "The model has " + text.substr(0, text.size() - 2) + ".");
}

void say_local_servers(const Lines& say) {
  for (const LocalAnswer& answer : ask_local_servers()) {
    std::string sentence = answer.provider + " at " + answer.endpoint + ": ";
    if (!answer.answered) {
      sentence += "not running.";
    } else if (!answer.server) {
      sentence += "another service answers there.";
    } else if (answer.server->models.empty()) {
      sentence += "running, no models installed.";
    } else {
      sentence += "running, with ";
      for (const LocalModel& model : answer.server->models)
        sentence += (model.name == answer.server->models.front().name ? "" : ", ") + model.name;
      sentence += ".";
    }
    say("local", sentence);
  }
}

void say_programs(const Lines& say) {
  say("syntax", std::to_string(languages().size()) + " languages are built in.");
  for (const auto& [name, purpose] : {std::pair{"rg", "searching and listing files"},
                                      std::pair{"git", "listing what a repository ignores"}})
    say("programs", std::string(name) +
                        (find_program(name) ? " found, for " : " not found, needed for ") +
                        purpose + ".");
}

void say_sandbox(const Lines& say) {
  const SandboxAbility& ability = sandbox_ability();
  const std::string why = ability.reason.empty() ? "" : ", because " + ability.reason;
  switch (ability.kind) {
    case Confinement::namespaces:
      return say("sandbox",
                 "Commands that run proposed code are confined by namespaces, on an overlay of the "
                 "folder.");
    case Confinement::bubblewrap:
      return say("sandbox",
                 "Commands that run proposed code are confined by bwrap, on a copy of "
                 "the folder" +
                     why + ".");
    case Confinement::none:
      return say(
          "sandbox",
          "Commands that run proposed code are not confined, so bodkin asks you first" + why + ".");
  }
}

// Whether all of them answered.
bool say_mcp(const Lines& say, const std::vector<McpServer>& servers, const Task& task) {
  const auto mcp = std::make_shared<Mcp>();
  mcp->configure(servers);
  bool all_answer = true;
  for (const Mcp::Finding& finding : mcp->check(task)) {
    all_answer = all_answer && finding.answers;
    say("mcp", finding.words);
  }
  return all_answer;
}

// Whether it answered as it should.
bool try_model(const Lines& say, ChosenModel& chosen, const std::stop_token& stop) {
  ModelRequest request;
  request.messages.push_back({Message::Role::user, {TextBlock{"Answer with the one word: yes"}}});
  request.max_tokens = 512;  // a model that thinks needs more than the word
  const auto begin = std::chrono::steady_clock::now();
  const Task task{stop, [&](const Progress& progress) {
                    if (progress.kind == Progress::Kind::status) say("", progress.text + ".");
                  }};
  const auto reply = chosen.model->respond(request, task);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (!reply) {
    say("request", "Failed (" + reply.error().kind + "): " + reply.error().message);
    return false;
  }
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f", took.count());
  const Usage& usage = reply->usage;
  std::string sentence = "Answered after " + std::string(seconds) + " s (" + grouped(usage.input) +
                         " tokens in, " + grouped(usage.output) + " out";
  if (const auto cost = cost_of(chosen.choice.facts, usage); cost && usage.input > 0)
    sentence += ", USD " + number(*cost);
  say("request", sentence + ").");
  return true;
}

// Whether it answered as it should, or need not be asked.
bool say_model(const Lines& say, const ModelSettings& settings, EditorModels* editor,
               const Task& task) {
  if (settings.provider == "replay") {
    const auto recording = choose_model(settings, editor, task);
    say("model", recording ? "Replaying the recording " + settings.name + "; no model is asked."
                           : recording.error().message);
    return recording.has_value();
  }
  if (settings.provider == "editor" && !editor) {
    say("model", "The editor's own model is only available in the editor.");
    return true;
  }
  ModelSettings patient = settings;
  if (patient.idle_seconds == 0) patient.idle_seconds = 60;
  auto chosen = choose_model(patient, editor, task);
  if (!chosen) {
    say("model", chosen.error().message);
    return false;
  }
  const ModelChoice& choice = chosen->choice;
  say("model",
      chosen->model->description() + " (" + choice.provider + "), because " + choice.reason + ".");
  say("key", choice.key_source.empty() ? "No API key is sent."
                                       : "Using the API key from " + choice.key_source + ".");
  say_facts(say, choice.facts);
  return try_model(say, *chosen, task.stop);
}

}  // namespace

bool check_setup(const ModelSettings& settings, const std::vector<McpServer>& mcp_servers,
                 EditorModels* editor, const Task& task, const SayLine& say_line) {
  const Lines say(say_line);
  const bool model_answers = say_model(say, settings, editor, task);
  say_settings(say);
  say_keys(say);
  say_local_servers(say);
  say_programs(say);
  say_sandbox(say);
  return say_mcp(say, mcp_servers, task) && model_answers;
}

}  // namespace bodkin
