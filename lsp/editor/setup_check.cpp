// More than 350 lines: each part of the setup, one after the other, as it is printed.
#include "lsp/editor/setup_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <ranges>
#include <set>
#include <stop_token>
#include <thread>

#include "agent/checkers/compile_commands.h"
#include "agent/checkers/file_kinds.h"
#include "agent/checkers/server_choice.h"
#include "agent/checkers/server_table.h"
#include "agent/models/http/retry.h"
#include "agent/models/model_facts.h"
#include "agent/models/providers/local_servers.h"
#include "agent/models/providers/provider_table.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/install_commands.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "agent/tools/mcp.h"
#include "grammars/languages.h"
#include "lsp/workspace/indexed_files.h"
#include "lsp/workspace/settings.h"

namespace bodkin {
namespace {

using lsp::Json;

constexpr size_t kPartWidth = 11;   // characters
constexpr size_t kMostModels = 10;  // of a server that are named
constexpr auto kLongestRequest = std::chrono::seconds(60);

// One line for each finding, even if a server's words are in it: "model      openai: …".
class Lines {
 public:
  explicit Lines(const SayLine& say) : say_(say) {}
  void operator()(std::string part, const std::string& sentence) const {
    part.resize(kPartWidth, ' ');
    say_(part + plain_line(sentence));
  }

 private:
  const SayLine& say_;
};

// A path below the home folder as a shell reads it.
std::string from_home(const std::string& path) {
  const std::string home = environment("HOME");
  return home.size() > 1 && path.starts_with(home + "/") ? "~" + path.substr(home.size()) : path;
}

void say_settings(const Lines& say) {
  const std::string path = lsp::config_folder() + "/settings.json";
  std::error_code error;
  if (lsp::config_folder().empty())
    say("settings", "There is no settings file: set HOME to the path of your home folder.");
  else if (!std::filesystem::exists(path, error))
    say("settings", from_home(path) + " does not exist; using the defaults.");
  else if (lsp::user_settings().is_discarded())
    say("settings", from_home(path) + " " + lsp::what_is_wrong_with_user_file() +
                        "; using the defaults, and the model is denied everything.");
  else
    say("settings", "Using " + from_home(path) + ".");
}

void say_keys(const Lines& say) {
  std::string there;
  for (const Provider& provider : providers())
    for (const char* name : provider.key_envs())
      if (!environment(name).empty() && there.find(name) == std::string::npos)
        there += (there.empty() ? "" : ", ") + std::string(name);
  say("keys", there.empty() ? "No provider's API key variable is set in the environment."
                            : "Set in the environment: " + there + ".");
}

void say_facts(const Lines& say, const ModelFacts& facts) {
  std::string text;
  if (facts.window) text += "a context window of " + std::to_string(*facts.window) + " tokens, ";
  if (facts.has_tools)
    text += *facts.has_tools ? "tool calls, " : "no tool calls (edits come as text), ";
  if (facts.price.input && facts.price.output)
    text += fmt::format("USD {:g} in and {:g} out per million tokens, ", *facts.price.input,
                        *facts.price.output);
  else
    text += "no known price, ";
  say("", "The model has " + text.substr(0, text.size() - 2) + ".");
}

// Collects what is missing, and the commands that install it; printed at the end.
class Missing {
 public:
  // `purpose`: "to check Python". `commands`: a line each, which is not broken; "": none is known.
  void add(const std::string& what, const std::string& purpose, const std::string& commands) {
    found_.emplace_back("missing",
                        what + ", " + purpose + (commands.empty() ? "; please install it." : ":"));
    for (const std::string& command : words_of_list(commands, '\n'))
      found_.emplace_back("", command);
  }
  void add_program(const std::string& name, const std::string& purpose) {
    add(name, purpose, commands_to_install(name));
  }
  void tell(const Lines& say) const {
    if (found_.empty()) say("missing", "Nothing.");
    for (const auto& [part, sentence] : found_) say(part, sentence);
  }

 private:
  std::vector<std::pair<std::string, std::string>> found_;  // a line each
};

void say_local_servers(const Lines& say) {
  std::string silent;
  for (const LocalAnswer& answer : ask_local_servers()) {
    std::string sentence = answer.provider + " at " + answer.endpoint + ": ";
    if (!answer.answered) {
      silent += (silent.empty() ? "" : ", ") + answer.provider;
      continue;
    }
    if (!answer.server) {
      sentence += "another service answers there.";
    } else if (answer.server->models.empty()) {
      sentence += "running, no models installed.";
    } else {
      const std::vector<LocalModel>& models = answer.server->models;
      sentence += "running, with " + models[0].name;
      for (size_t i = 1; i < std::min(models.size(), kMostModels); ++i)
        sentence += ", " + models[i].name;
      if (models.size() > kMostModels)
        sentence += fmt::format(" and {} more", models.size() - kMostModels);
      sentence += ".";
    }
    say("local", sentence);
  }
  if (!silent.empty()) say("local", "No answer from " + silent + ".");
}

void say_programs(const Lines& say, Missing& missing) {
  say("syntax", std::to_string(languages().size()) + " languages are built in.");
  std::string found;
  for (const auto& [name, purpose] : {std::pair{"rg", "for searching and listing files"},
                                      std::pair{"git", "for listing what a repository ignores"}}) {
    if (find_program(name))
      found += (found.empty() ? "" : ", ") + std::string(name);
    else
      missing.add_program(name, purpose);
  }
  if (!found.empty()) say("programs", "Found: " + found + ".");
}

// Returns the checker of a language, or why there is none.
Result<std::string> checker_of(std::string_view language, const SetupWorkspace& workspace) {
  const std::string& root = workspace.roots.begin()->folder;
  if (language == "rust") {
    if (!find_program("cargo", {root}))
      return fail(Error::Code::unavailable, "cargo is not installed");
    if (!workspace.is_trusted || sandbox_ability().kind == Confinement::none)
      return fail(Error::Code::unavailable, "cargo runs only in a trusted folder and a sandbox");
    return "cargo";
  }
  auto server = choose_server(language, workspace.servers, root, workspace.is_trusted);
  if (!server) return std::unexpected(server.error());
  CompileCommands commands;
  if (server->imports != Imports::include || (commands.refresh(root), commands.are_known()))
    return std::move(server->name);
  std::error_code ignored;
  if (std::filesystem::exists(std::filesystem::path(root) / "compile_flags.txt", ignored))
    return server->name + ", with the options in compile_flags.txt";
  const std::string command = command_for_database(root);
  return fmt::format(
      "{}, which guesses how files are compiled: there is no compile_commands.json{}", server->name,
      command.empty() ? "" : " (" + command + ")");
}

// Tells of the workspace's languages that something could check.
void say_checkers(const Lines& say, Missing& missing, const SetupWorkspace& workspace,
                  const std::stop_token& stop) {
  std::set<std::string_view> present;
  for (const auto& file : lsp::files_to_index(workspace.roots, workspace.is_trusted, stop))
    if (const Language* language = language_of(file.path)) present.insert(language->id);
  const auto consider = [&](std::string_view languages, std::vector<std::string> programs) {
    std::string names;
    std::string_view first;
    const std::vector<std::string> ids = words_of_list(languages);
    for (const std::string& id : ids) {
      const Language* language = language_with_id(id);
      if (!language || present.erase(language->id) == 0) continue;
      if (names.empty()) first = language->id;
      names += (names.empty() ? "" : ", ") + std::string(language->name);
    }
    if (names.empty()) return;
    const auto checker = checker_of(first, workspace);
    std::string words = checker ? *checker : checker.error().message;
    if (const size_t begin = words.find(" is checked by "); begin != words.npos)
      words.erase(0, begin + std::string_view(" is checked by ").size());
    // How it is installed is said below.
    constexpr std::string_view kAbsent = "which is not installed";
    if (const size_t at = words.find(kAbsent); at != words.npos && !checker)
      words.resize(at + kAbsent.size());
    say("checks", names + ": " + words + ".");
    if (checker || checker.error().message.ends_with("is set up")) return;  // as the user wants it
    for (const std::string& program : programs | std::views::reverse)
      if (!find_program(program)) missing.add_program(program, "to check " + names);
  };
  for (const ServerKind& kind : server_kinds()) {
    std::vector<std::string> programs = {usual_program(kind)};
    if (kind.reporting == Reporting::tsserver && find_program(programs[0]))
      programs.emplace_back("tsserver");  // else it comes with the server
    if (!kind.needs.empty()) programs.emplace_back(kind.needs);
    consider(kind.languages, programs);
  }
  consider("rust", {"cargo"});
  std::string others;
  for (const Language& language : languages())
    if (present.contains(language.id) && !is_data(&language, ""))
      others += (others.empty() ? "" : ", ") + std::string(language.name);
  if (!others.empty())
    say("checks", others + ": only the syntax; bodkin.verify.servers can name a server.");
}

void say_sandbox(const Lines& say, Missing& missing) {
  const SandboxAbility& ability = sandbox_ability();
  const std::string why = ability.reason.empty() ? "" : ", because " + ability.reason;
  switch (ability.kind) {
    case Confinement::namespaces:
      return say("sandbox", "Commands are confined by namespaces, on an overlay of the folder.");
    case Confinement::bubblewrap:
      return say("sandbox", "Commands are confined by bwrap, on a copy of the folder" + why + ".");
    case Confinement::none:
      if (!ability.program.empty() && !find_program(ability.program))
        missing.add_program(ability.program, "for a sandbox");
      return say("sandbox", "Commands are not confined, so bodkin asks you first" + why + ".");
  }
}

// Returns whether all of them answered.
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

// Returns whether it answered as it should.
bool try_model(const Lines& say, ChosenModel& chosen, const std::stop_token& stop) {
  ModelRequest request;
  request.messages.push_back({Message::Role::user, {TextBlock{"Answer with the one word: yes"}}});
  request.max_tokens = 512;  // a model that thinks needs more than the word
  const auto begin = std::chrono::steady_clock::now();
  // A server may go on for ever while its answer arrives in pieces.
  std::stop_source end;
  const std::stop_callback on_stop(stop, [&] { end.request_stop(); });
  std::atomic<bool> is_late = false;
  std::jthread timer([&](const std::stop_token& is_answered) {
    if (!wait_for(kLongestRequest, is_answered)) return;
    is_late = true;
    end.request_stop();
  });
  // Why it is tried again is not reported: if all fails, the last reason is.
  const auto reply = chosen.model->respond(request, Task{end.get_token(), nullptr});
  timer.request_stop();
  if (is_late && !reply) {
    say("request", fmt::format("Failed: no whole answer within {} s.", kLongestRequest.count()));
    return false;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  if (!reply) {
    say("request", "Failed (" + reply.error().kind + "): " + reply.error().message);
    return false;
  }
  const Usage& usage = reply->usage;
  std::string sentence = fmt::format("Answered after {:.1f} s ({} tokens in, {} out", took.count(),
                                     grouped(usage.input), grouped(usage.output));
  if (const auto cost = cost_of(chosen.choice.facts, usage); cost && usage.input > 0)
    sentence += fmt::format(", USD {:g}", *cost);
  say("request", sentence + ").");
  return true;
}

// Returns whether it answered as it should, or need not be asked.
bool say_model(const Lines& say, Missing& missing, const ModelSettings& settings,
               EditorModels* editor, const Task& task) {
  if (settings.provider == "replay") {
    const auto recording = choose_model(settings, editor, task);
    say("model", recording ? "Playing the replies in " + settings.name + "; no model is asked."
                           : recording.error().message);
    return recording.has_value();
  }
  if (settings.provider == "editor" && !editor) {
    say("model", "The editor's own model is only available in the editor.");
    return true;
  }
  ModelSettings patient = settings;
  patient.retry_seconds = 0;
  if (patient.idle_seconds == 0) patient.idle_seconds = 60;
  auto chosen = choose_model(patient, editor, task);
  if (!chosen) {
    say("model", chosen.error().message);
    if (chosen.error().message == kNoModel)
      missing.add("a model",
                  editor ? "to be chosen in the editor (in Neovim: :Bodkin model), or in the "
                           "shell that starts it"
                         : "which bodkin ask in a terminal helps to choose",
                  "export ANTHROPIC_API_KEY=…   # or the key of another provider; or\n" +
                      commands_for_local_model());
    else if (const Provider* provider = find_provider(settings.provider);
             provider && chosen.error().setting == "model.apiKeyEnv")
      missing.add(
          "a key", "for " + settings.provider,
          fmt::format("export {}=…", settings.own.api_key_env.empty() ? provider->key_env
                                                                      : settings.own.api_key_env));
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
                 const SetupWorkspace& workspace, EditorModels* editor, const Task& task,
                 const SayLine& say_line) {
  const Lines say(say_line);
  Missing missing;
  const bool model_answers = say_model(say, missing, settings, editor, task);
  say_settings(say);
  say_keys(say);
  say_local_servers(say);
  say_programs(say, missing);
  say_checkers(say, missing, workspace, task.stop);
  say_sandbox(say, missing);
  const bool servers_answer = say_mcp(say, mcp_servers, task);
  missing.tell(say);
  return servers_answer && model_answers;
}

bool check_model(const ModelSettings& settings, EditorModels* editor, const Task& task,
                 const SayLine& say_line) {
  Missing missing;
  return say_model(Lines(say_line), missing, settings, editor, task);
}

void check_checkers(const SetupWorkspace& workspace, const Task& task, const SayLine& say_line) {
  const Lines say(say_line);
  Missing missing;
  say_checkers(say, missing, workspace, task.stop);
  missing.tell(say);
}

}  // namespace bodkin
