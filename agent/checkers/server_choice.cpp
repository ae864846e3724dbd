// More than 350 lines: one choice, and all places that a server and its TypeScript are looked for
// in.
#include "agent/checkers/server_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "agent/platform/files.h"
#include "agent/platform/paths.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/install_commands.h"
#include "agent/support/json.h"
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
  const auto result = os::canonical(path, error);
  return error ? path : result.generic_string();
}

std::string home_of_user() {
  const char* const home = os::getenv("HOME");
  return home && os::is_absolute(home) ? home : "";
}

// The end of a sentence: ": npm install -g pyright"; "" if no command is known.
std::string how_to_install(std::string_view program) {
  const auto commands = words_of_list(commands_to_install(program), '\n');
  return commands.empty() ? "" : fmt::format(": {}", fmt::join(commands, " && "));
}

// Compares digits as numbers: "1.10" is newer than "1.9".
bool is_newer_version(std::string_view one, std::string_view other) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (size_t i = 0, j = 0; i < one.size() && j < other.size();) {
    if (!is_digit(one[i]) || !is_digit(other[j])) {
      if (one[i] != other[j]) return one[i] > other[j];
      ++i, ++j;
      continue;
    }
    const auto number_at = [&](std::string_view text, size_t& at) {
      const size_t begin = std::min(text.find_first_not_of('0', at), text.size());
      at = begin;
      while (at < text.size() && is_digit(text[at])) ++at;
      return text.substr(begin, at - begin);
    };
    const std::string_view a = number_at(one, i), b = number_at(other, j);
    if (a.size() != b.size()) return a.size() > b.size();
    if (a != b) return a > b;
  }
  return one.size() > other.size();
}

// The matching path with the highest version; "" if there is none. `rest` is relative to `folder`,
// with "*" for a part of a name.
std::string newest_match(const std::filesystem::path& folder, std::string_view rest) {
  namespace fs = std::filesystem;
  std::error_code error;
  const size_t end = std::min(rest.find('/'), rest.size());
  const std::string_view name = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  const size_t star = name.find('*');
  std::vector<fs::path> found;
  if (star == name.npos) {
    if (fs::exists(folder / name, error)) found.push_back(folder / name);
  } else {
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (const std::string each = entry.path().filename().generic_string();
          each.starts_with(name.substr(0, star)) && each.ends_with(name.substr(star + 1)))
        found.push_back(entry.path());
  }
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return is_newer_version(a.generic_string(), b.generic_string());
  });
  for (const fs::path& path : found) {
    const std::string inside = rest.empty() ? path.generic_string() : newest_match(path, rest);
    if (!inside.empty()) return inside;
  }
  return "";
}

std::vector<std::string> strings_at(const json& object, std::string_view key) {
  std::vector<std::string> strings;
  for (const json& each : at(object, key))
    if (each.is_string()) strings.push_back(each.get<std::string>());
  return strings;
}

// The server's command as an editor's extension has brought it. Empty: none has.
std::vector<std::string> server_of_extension(const ServerKind& kind, const std::string& root) {
  const std::string home = home_of_user();
  if (home.empty()) return {};
  for (const char* editor : {"vscode", "vscode-server", "vscode-oss", "cursor", "windsurf"}) {
    for (const std::string& usual : words_of_list(kind.extensions, '|')) {
      auto words = words_of_list(usual);
      words[0] = newest_match(fmt::format("{}/.{}/extensions", home, editor), words[0]);
      if (words[0].empty() || lies_in(canonical(words[0]), root)) continue;
      if (!words[0].ends_with(".js")) return words;
      const auto node = find_program("node", {root});
      if (!node) continue;
      words.insert(words.begin(), *node);
      return words;
    }
  }
  return {};
}

// The TypeScript that VS Code and its relatives come with.
std::string tsserver_of_editor(const std::string& root) {
  constexpr std::string_view kInside = "extensions/node_modules/typescript/lib/tsserver.js";
  for (const char* program : {"code", "codium", "code-oss", "cursor", "windsurf"}) {
    const auto found = find_program(program, {root});
    if (!found) continue;
    const auto folder = std::filesystem::path(canonical(*found)).parent_path().parent_path();
    const std::string library = newest_match(folder / "resources/app", kInside);
    if (!library.empty() && !lies_in(canonical(library), root)) return library;
  }
  const std::string home = home_of_user();
  for (const char* folder : {"/.vscode-server/bin", "/.vscode-server/cli/servers"})
    for (const char* between : {"*/", "*/server/"})
      if (const std::string library =
              home.empty() ? "" : newest_match(home + folder, between + std::string(kInside));
          !library.empty() && !lies_in(canonical(library), root))
        return library;
  return "";
}

// typescript-language-server takes the workspace's own TypeScript, unless it is told another. That
// is the one that builds the project, but its program comes from the folder.
std::string find_tsserver(const std::string& server, const std::string& root, bool may_run) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string own = root + "/node_modules/typescript/lib/tsserver.js";
  if (may_run && fs::is_regular_file(own, error)) return own;
  const auto is_usable = [&](const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && !lies_in(path.generic_string(), root);
  };
  for (fs::path folder = fs::path(canonical(server)).parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    for (const char* inside :
         {"node_modules/typescript/lib/tsserver.js", "typescript/lib/tsserver.js",
          "lib/node_modules/typescript/lib/tsserver.js"})
      if (is_usable(folder / inside)) return (folder / inside).generic_string();
  }
  for (const char* program : {"tsserver", "tsc"}) {
    const auto found = find_program(program, {root});
    if (!found) continue;
    const fs::path library =
        fs::path(canonical(*found)).parent_path().parent_path() / "lib/tsserver.js";
    if (is_usable(library)) return library.generic_string();
  }
  return tsserver_of_editor(root);
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

}  // namespace

Result<std::string> find_server(const std::string& name, const std::string& root, bool may_run) {
  auto found = find_program(name, {root});
  const std::string home = home_of_user();
  if (found || name.contains('/')) return found;
  for (const char* folder : {"/.local/bin/", "/.local/share/nvim/mason/bin/",
                             "/AppData/Local/nvim-data/mason/bin/", "/go/bin/", "/.cargo/bin/"})
    if (auto there = home.empty() ? found : find_program(home + folder + name, {root}))
      return there;
  for (const char* folder : {"/node_modules/.bin/", "/.venv/bin/", "/venv/bin/"})
    if (const std::string own = root + folder + name; may_run && os::access(own.c_str(), X_OK) == 0)
      return own;
  return found;
}

// Decides: which program is the language server that checks.
Result<ServerCommand> choose_server(std::string_view language, const json& servers,
                                    const std::string& root, bool trusted, bool may_run_folder) {
  // The folder's own programs, as its settings or its packages name them.
  const bool may_run = trusted && may_run_folder && sandbox_ability().kind != Confinement::none;
  const Language* known = language_with_id(language);
  const std::string shown(known ? known->name : language);
  const ServerKind* kind = kind_for(language);
  ServerCommand command;
  command.options = json::object();
  const json& chosen = chosen_for(language, kind, servers);
  const bool is_complete = at(chosen, "complete") == true;
  command.language = language;
  command.knows_imports = kind != nullptr || is_complete;
  if (kind) command.imports = kind->imports;
  std::vector<std::vector<std::string>> candidates;
  // Some editors take these options from the folder's own settings.
  const json& of_editor = at(at(servers, kEditorServers), kind && trusted ? kind->name : "");
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
    if (auto brought = server_of_extension(*kind, root); !brought.empty())
      candidates.push_back(std::move(brought));
    if (auto brought = strings_at(of_editor, "command"); !brought.empty())
      candidates.push_back(std::move(brought));
  } else {
    return fail(
        Error::Code::unavailable,
        fmt::format("no checker is known for {}; bodkin.verify.servers can name one", shown));
  }
  std::string missing;
  for (auto& arguments : candidates) {
    const auto program = find_server(arguments[0], root, may_run);
    if (!program) {
      missing += (missing.empty() ? "" : " or ") + arguments[0];
      continue;
    }
    // Nobody knows what an unknown server does with a project's files.
    if (kind->name.empty() && !trusted) {
      return fail(Error::Code::unavailable,
                  fmt::format("{} runs only in a trusted folder", arguments[0]));
    }
    command.kind = kind;
    command.name = kind->name.empty()
                       ? std::filesystem::path(arguments[0]).filename().generic_string()
                       : std::string(kind->name);
    for (const char* other : {"basedpyright", "vtsls"})
      if (fmt::format("{}", fmt::join(arguments, " ")).contains(other)) command.name = other;
    const bool is_of_editor = arguments == strings_at(of_editor, "command");
    if (is_of_editor) command.name = string_at(of_editor, "name");
    command.arguments = arguments;
    command.arguments[0] = *program;
    command.may_run_folder = may_run;
    command.is_complete = is_complete;
    command.settings = json::parse(kind->settings);
    if (trusted) add_folder_settings(root, may_run, command.settings);
    command.options = json::parse(kind->options);
    if (const json& given = at(chosen, "initializationOptions"); given.is_object())
      command.options.merge_patch(given);
    if (!kind->needs.empty() && !find_program(std::string(kind->needs), {root})) {
      return fail(Error::Code::unavailable,
                  fmt::format("{} needs {}, which is not installed{}", command.name, kind->needs,
                              how_to_install(kind->needs)));
    }
    if (kind->reporting == Reporting::tsserver) {
      std::string library = find_tsserver(*program, root, may_run);
      if (library.empty()) library = string_at(of_editor, "tsserver");
      if (library.empty() && !may_run) {
        return fail(Error::Code::unavailable,
                    trusted && may_run_folder
                        ? "TypeScript is not installed outside of the folder, and there is no "
                          "sandbox to run that of the folder in"
                        : "TypeScript is not installed outside of the folder, which is not "
                          "trusted");
      }
      if (!library.empty()) command.options["tsserver"]["path"] = library;
    }
    return command;
  }
  return fail(Error::Code::unavailable,
              fmt::format("{} is checked by {}, which is not installed{}", shown,
                          chosen.is_null() ? std::string(kind->name) : missing,
                          how_to_install(chosen.is_null() ? usual_program(*kind) : "")));
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
