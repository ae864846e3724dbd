#include "agent/checkers/server_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "agent/sandbox/sandbox.h"
#include "agent/support/program.h"
#include "agent/support/read_file.h"
#include "agent/support/real_path.h"
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

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto result = std::filesystem::canonical(path, error);
  return error ? path : result.string();
}

// Found as any program, else where editors and languages put servers for the user alone: those
// folders are often not on the PATH that a desktop gives an editor.
Result<std::string> find_server(const std::string& name, const std::string& root) {
  auto found = find_program(name, {root});
  const char* const home = std::getenv("HOME");
  if (found || name.contains('/') || !home || *home != '/') return found;
  for (const char* folder :
       {"/.local/bin/", "/.local/share/nvim/mason/bin/", "/go/bin/", "/.cargo/bin/"})
    if (auto there = find_program(std::string(home) + folder + name, {root})) return there;
  return found;
}

// typescript-language-server takes the workspace's own TypeScript, unless it is told another: its
// program would come from the folder.
std::string find_tsserver(const std::string& server, const std::string& root) {
  namespace fs = std::filesystem;
  const auto is_usable = [&](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && !lies_in(path.string(), root);
  };
  for (fs::path folder = fs::path(canonical(server)).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* inside :
         {"node_modules/typescript/lib/tsserver.js", "typescript/lib/tsserver.js",
          "lib/node_modules/typescript/lib/tsserver.js"})
      if (is_usable(folder / inside)) return (folder / inside).string();
  }
  for (const char* program : {"tsserver", "tsc"}) {
    const auto found = find_program(program, {root});
    if (!found) continue;
    const fs::path library =
        fs::path(canonical(*found)).parent_path().parent_path() / "lib/tsserver.js";
    if (is_usable(library)) return library.string();
  }
  return "";
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

// What the folder says for an editor about where sources and tools are, by section; nothing that
// could silence a problem; what names programs only if those `may_run`.
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
  const json given =
      text ? json::parse(*text, nullptr, false, /*ignore_comments=*/true) : json::object();
  if (!given.is_object()) return;
  for (const auto& [section, name] : kTaken) {
    if (name == "pythonPath" && !may_run) continue;
    const auto found = given.find(fmt::format("{}.{}", section, name));
    if (found != given.end()) settings[std::string(section)][std::string(name)] = *found;
  }
  if (!may_run) return;
  const auto interpreter = given.find("python.defaultInterpreterPath");
  if (interpreter != given.end() && !settings["python"].contains("pythonPath"))
    settings["python"]["pythonPath"] = *interpreter;
  // gopls wants all of its settings in one section.
  if (const auto gopls = given.find("gopls"); gopls != given.end() && gopls->is_object()) {
    for (const char* name : {"buildFlags", "build.buildFlags", "env", "build.env"})
      if (gopls->contains(name)) settings["gopls"][name] = (*gopls)[name];
  }
}

}  // namespace

// Decides: which program is the language server that checks.
Result<ServerCommand> choose_server(std::string_view language, const json& servers,
                                    const std::string& root, bool trusted) {
  // The folder's own programs, as its settings or its packages name them.
  const bool may_run = trusted && sandbox_ability().kind != Confinement::none;
  const Language* known = language_with_id(language);
  const std::string shown(known ? known->name : language);
  const ServerKind* kind = kind_for(language);
  ServerCommand command;
  command.options = json::object();
  command.knows_imports = kind != nullptr;
  if (kind) command.imports = kind->imports;
  std::vector<std::vector<std::string>> candidates;
  const json& chosen = chosen_for(language, kind, servers);
  const json& words = chosen.is_object() ? at(chosen, "command") : chosen;
  if (words.is_array()) {
    std::vector<std::string> arguments;
    for (const json& word : words)
      if (word.is_string()) arguments.push_back(word.get<std::string>());
    if (arguments.empty())
      return fail(Error::Code::unavailable,
                  fmt::format("no language server for {} is set up", shown));
    kind = &server_kind(arguments[0]);
    // The table's own options make the server usable; without arguments they are meant.
    for (const std::string& usual : words_of_list(kind->commands, '|')) {
      const auto usual_words = words_of_list(usual);
      if (arguments.size() == 1 && server_kind(usual_words[0]).name == kind->name) {
        arguments.insert(arguments.end(), usual_words.begin() + 1, usual_words.end());
        break;
      }
    }
    if (kind->name == "clangd" && words.size() > 1)
      arguments.insert(arguments.end(), {"--background-index=false", "--use-dirty-headers"});
    candidates.push_back(std::move(arguments));
  } else if (kind) {
    for (const std::string& usual : words_of_list(kind->commands, '|'))
      candidates.push_back(words_of_list(usual));
  } else {
    return fail(Error::Code::unavailable, fmt::format("no server for {}", shown));
  }
  std::string missing;
  for (auto& arguments : candidates) {
    const auto program = find_server(arguments[0], root);
    if (!program) {
      missing += (missing.empty() ? "" : " or ") + arguments[0];
      continue;
    }
    // What it does with a project is not known.
    if (kind->name.empty() && !trusted) {
      return fail(Error::Code::unavailable,
                  fmt::format("{} runs only in a trusted folder", arguments[0]));
    }
    command.kind = kind;
    command.name = kind->name.empty() ? std::string(std::filesystem::path(arguments[0]).filename())
                                      : std::string(kind->name);
    if (std::filesystem::path(arguments[0]).filename().string().starts_with("basedpyright"))
      command.name = "basedpyright";
    command.arguments = arguments;
    command.arguments[0] = *program;
    command.may_run_folder = may_run;
    command.is_complete = at(chosen, "complete") == true;
    command.settings = json::parse(kind->settings);
    if (trusted) add_folder_settings(root, may_run, command.settings);
    command.options = json::parse(kind->options);
    if (const json& given = at(chosen, "initializationOptions"); given.is_object())
      command.options.merge_patch(given);
    if (!kind->needs.empty() && !find_program(std::string(kind->needs), {root})) {
      return fail(Error::Code::unavailable,
                  fmt::format("{} needs {}, which is not installed", command.name, kind->needs));
    }
    if (kind->reporting == Reporting::tsserver) {
      const std::string library = find_tsserver(*program, root);
      if (library.empty() && !may_run) {
        return fail(Error::Code::unavailable,
                    trusted ? "TypeScript is not installed outside of the folder, and there is no "
                              "sandbox to run that of the folder in"
                            : "TypeScript is not installed outside of the folder, which is not "
                              "trusted");
      }
      if (!library.empty()) command.options["tsserver"]["path"] = library;
    }
    return command;
  }
  return fail(Error::Code::unavailable,
              fmt::format("no server for {}: {} is not installed", shown, missing));
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
