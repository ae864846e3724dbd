#include "agent/checkers/server_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "agent/checkers/installed_servers.h"
#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/install_commands.h"
#include "agent/support/json.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/wire_json.h"
#include "grammars/languages.h"

namespace bodkin {

namespace {

using nlohmann::json;

constexpr size_t kMaxFolderSettings = 1 << 20;  // bytes

const ServerKind* kind_for(std::string_view language) {
  for (const ServerKind& kind : server_kinds()) {
    const auto languages = words_of_list(kind.languages);
    if (std::ranges::find(languages, language) != languages.end()) return &kind;
  }
  return nullptr;
}

// The end of a sentence: ": npm install -g pyright"; "" if no command is known.
std::string how_to_install(std::string_view program) {
  const auto commands = words_of_list(commands_to_install(program), '\n');
  return commands.empty() ? "" : fmt::format(": {}", fmt::join(commands, " && "));
}

std::vector<std::string> strings_at(const json& object, std::string_view key) {
  std::vector<std::string> strings;
  for (const json& each : at(object, key))
    if (each.is_string()) strings.push_back(each.get<std::string>());
  return strings;
}

// The user's choice for a language: by its identifier, by the server's name, or by another language
// of the same server. Null: none.
const json& chosen_for(std::string_view language, const ServerKind* kind, const json& servers) {
  std::vector<std::string> keys = {std::string(language)};
  if (kind) {
    keys.emplace_back(kind->name);
    const auto others = words_of_list(kind->languages);
    keys.insert(keys.end(), others.begin(), others.end());
  }
  for (const std::string& key : keys)
    if (const json& given = at(servers, key); !given.is_null()) return given;
  return at(servers, "*");
}

// Adds the folder's own editor settings about where sources and tools are, by section. Settings
// that could silence a problem are not taken, and those that name programs only if these `may_run`.
void add_folder_settings(const std::string& root, bool may_run, json& settings) {
  static constexpr std::pair<std::string_view, std::string_view> kTaken[] = {
      {"python", "pythonPath"},
      {"python", "venvPath"},
      {"python", "venv"},
      {"python.analysis", "extraPaths"},
      {"python.analysis", "stubPath"},
      {"basedpyright.analysis", "extraPaths"},
      {"basedpyright.analysis", "stubPath"}};
  const auto text = read_file(root + "/.vscode/settings.json", kMaxFolderSettings);
  json given = parse_json(text.value_or(""), {.comments = true}).value_or(json::object());
  if (!given.is_object()) given = json::object();
  for (const auto& [section, name] : kTaken) {
    if (name == "pythonPath" && !may_run) continue;
    const auto found = given.find(fmt::format("{}.{}", section, name));
    if (found != given.end()) settings[std::string(section)][std::string(name)] = *found;
  }
  static constexpr const char* kEnvironments[] = {".venv", "venv", "env", ".conda"};
  if (!may_run) {  // an environment's packages are read, without its interpreter
    for (const char* folder : kEnvironments) {
      const std::string environment = root + "/" + folder;
      std::string packages = newest_match(environment, "lib/python3*/site-packages");
      if (packages.empty()) packages = newest_match(environment, "Lib/site-packages");  // Windows
      if (packages.empty()) continue;
      for (const char* section : {"python.analysis", "basedpyright.analysis"}) {
        json& paths = settings[section]["extraPaths"];
        if (!paths.is_array()) paths = json::array();
        paths.push_back(packages);
      }
      settings["python"]["analysis"]["extraPaths"] = settings["python.analysis"]["extraPaths"];
      break;
    }
    return;
  }
  const auto interpreter = given.find("python.defaultInterpreterPath");
  if (interpreter != given.end() && !settings["python"].contains("pythonPath"))
    settings["python"]["pythonPath"] = *interpreter;
  // The environment in the folder, which its programs run in.
  for (const char* folder : kEnvironments)
    if (const std::string python = fmt::format("{}/{}/bin/python", root, folder);
        !settings["python"].contains("pythonPath") && os::access(python.c_str(), X_OK) == 0)
      settings["python"]["pythonPath"] = python;
  // gopls wants all of its settings in one section.
  if (const auto gopls = given.find("gopls"); gopls != given.end() && gopls->is_object()) {
    for (const char* name : {"buildFlags", "build.buildFlags", "env", "build.env"})
      if (gopls->contains(name)) settings["gopls"][name] = (*gopls)[name];
  }
}

struct Choice {
  const std::string& root;
  std::string shown;  // the language's name
  bool is_trusted = false;
  bool wants_own = false, may_run = false;  // the folder's own programs: if there is a sandbox
  const ServerKind* kind = nullptr;         // null: no language server is known
  json chosen = {}, of_editor = {};         // by the settings; null: none
};

// The commands to try, the first that is installed counts; at least one. Error: unavailable.
Result<std::vector<std::vector<std::string>>> candidates_of(Choice& choice) {
  const json& words = choice.chosen.is_object() ? at(choice.chosen, "command") : choice.chosen;
  std::vector<std::vector<std::string>> candidates;
  if (!words.is_array() && !choice.kind)
    return fail(Error::Code::unavailable,
                fmt::format("no checker is known for {}; bodkin.verify.servers can name one",
                            choice.shown));
  if (!words.is_array()) {
    for (const std::string& usual : words_of_list(choice.kind->commands, '|'))
      candidates.push_back(words_of_list(usual));
    for (auto& brought :
         {server_of_extension(*choice.kind, choice.root), strings_at(choice.of_editor, "command")})
      if (!brought.empty()) candidates.push_back(brought);
    return candidates;
  }
  std::vector<std::string> arguments;
  for (const json& word : words)
    if (word.is_string()) arguments.push_back(word.get<std::string>());
  if (arguments.empty())
    return fail(Error::Code::unavailable,
                fmt::format("no language server for {} is set up", choice.shown));
  choice.kind = &server_kind(arguments[0]);
  // The table's own options make the server usable; without arguments they are meant.
  for (const std::string& usual : words_of_list(choice.kind->commands, '|')) {
    const auto usual_words = words_of_list(usual);
    if (arguments.size() == 1 && server_kind(usual_words[0]).name == choice.kind->name) {
      arguments.insert(arguments.end(), usual_words.begin() + 1, usual_words.end());
      break;
    }
  }
  if (choice.kind->name == "clangd" && words.size() > 1)
    arguments.insert(arguments.end(), {"--background-index=false", "--use-dirty-headers"});
  candidates.push_back(std::move(arguments));
  return candidates;
}

// The command of a candidate that is installed. Error: unavailable.
Result<ServerCommand> made_of(ServerCommand command, const std::vector<std::string>& arguments,
                              const std::string& program, const Choice& choice) {
  const ServerKind* const kind = choice.kind;
  const std::string& root = choice.root;
  // Nobody knows what an unknown server does with a project's files.
  if (kind->name.empty() && !choice.is_trusted)
    return fail(Error::Code::unavailable,
                fmt::format("{} runs only in a trusted folder", arguments[0]));
  command.kind = kind;
  command.name = kind->name.empty()
                     ? std::filesystem::path(arguments[0]).filename().generic_string()
                     : std::string(kind->name);
  for (const char* other : {"basedpyright", "vtsls"})
    if (fmt::format("{}", fmt::join(arguments, " ")).contains(other)) command.name = other;
  if (arguments == strings_at(choice.of_editor, "command"))
    command.name = string_at(choice.of_editor, "name");
  command.arguments = arguments;
  command.arguments[0] = program;
  command.may_run_folder = choice.may_run;
  command.settings = json::parse(kind->settings);
  if (choice.is_trusted) add_folder_settings(root, choice.may_run, command.settings);
  command.options = json::parse(kind->options);
  if (const json& given = at(choice.chosen, "initializationOptions"); given.is_object())
    command.options.merge_patch(given);
  if (!kind->needs.empty() && !find_program(std::string(kind->needs), {root}))
    return fail(Error::Code::unavailable,
                fmt::format("{} needs {}, which is not installed{}", command.name, kind->needs,
                            how_to_install(kind->needs)));
  if (kind->reporting != Reporting::tsserver) return command;
  std::string library = find_tsserver(program, root, choice.may_run);
  if (library.empty()) library = string_at(choice.of_editor, "tsserver");
  if (library.empty() && !choice.may_run)
    return fail(Error::Code::unavailable,
                choice.wants_own
                    ? "TypeScript is not installed outside of the folder, and there is no "
                      "sandbox to run that of the folder in"
                    : "TypeScript is not installed outside of the folder, which is not trusted");
  if (!library.empty()) command.options["tsserver"]["path"] = library;
  return command;
}

}  // namespace

// Decides: which program is the language server that checks.
Result<ServerCommand> choose_server(std::string_view language, const json& servers,
                                    const std::string& root, bool trusted, bool may_run_folder) {
  const Language* known = language_with_id(language);
  Choice choice{.root = root, .shown = std::string(known ? known->name : language)};
  // The folder's own programs, as its settings or its packages name them.
  choice.wants_own = trusted && may_run_folder;
  choice.may_run = choice.wants_own && sandbox_ability().kind != Confinement::none;
  choice.is_trusted = trusted;
  choice.kind = kind_for(language);
  choice.chosen = chosen_for(language, choice.kind, servers);
  // Some editors take these options from the folder's own settings.
  choice.of_editor =
      at(at(servers, kEditorServers), choice.kind && trusted ? choice.kind->name : "");
  ServerCommand command;
  command.language = language;
  command.is_complete = at(choice.chosen, "complete") == true;
  command.knows_imports = choice.kind != nullptr || command.is_complete;
  if (choice.kind) command.imports = choice.kind->imports;
  const auto candidates = candidates_of(choice);
  if (!candidates) return std::unexpected(candidates.error());
  std::string missing;
  for (const auto& arguments : *candidates) {
    const auto program = find_server(arguments[0], root, choice.may_run);
    if (program) return made_of(std::move(command), arguments, *program, choice);
    missing += (missing.empty() ? "" : " or ") + arguments[0];
  }
  const bool is_usual = choice.chosen.is_null();
  return fail(Error::Code::unavailable,
              fmt::format("{} is checked by {}, which is not installed{}", choice.shown,
                          is_usual ? std::string(choice.kind->name) : missing,
                          how_to_install(is_usual ? usual_program(*choice.kind) : "")));
}

std::string language_by_settings(std::string_view path, const json& servers) {
  if (!servers.is_object()) return "";
  for (const auto& [language, chosen] : servers.items())
    for (const json& ending : at(chosen, "files"))
      if (ending.is_string() && !ending.get_ref<const std::string&>().empty() &&
          path.ends_with(ending.get_ref<const std::string&>()))
        return language;
  return "";
}

bool is_server_name(std::string_view name, const json& servers) {
  if (name == "cargo" || name == "cargo check" || name == "basedpyright") return true;
  if (std::ranges::any_of(server_kinds(), [&](const auto& kind) { return kind.name == name; }))
    return true;
  return std::ranges::any_of(servers, [&](const json& chosen) {
    const json& words = chosen.is_object() ? at(chosen, "command") : chosen;
    return words.is_array() && !words.empty() && words[0].is_string() &&
           std::filesystem::path(words[0].get<std::string>()).filename() == name;
  });
}

}  // namespace bodkin
