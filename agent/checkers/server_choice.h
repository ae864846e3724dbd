// Chooses the language server that checks a language on this machine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "agent/checkers/language_server.h"

namespace bodkin {

// In verify.servers, the key of the servers that the editor brings, by their names, for machines
// without one, in trusted folders: {"typescript-language-server": {"name": "TypeScript", "command":
// […], "tsserver": "/…/tsserver.js"}}.
inline constexpr char kEditorServers[] = ":editor";

// `servers`: verify.servers. `may_run_folder`: in a trusted folder, its own programs, too. Error,
// the end of a sentence for the user: there is no server for the language, or it is not installed.
Result<ServerCommand> choose_server(std::string_view language, const nlohmann::json& servers,
                                    const std::string& root, bool trusted,
                                    bool may_run_folder = true);

// The language of a file whose extension an entry of verify.servers names: "vue" for {"vue":
// {"command": […], "files": [".vue"]}}; "" if none does.
std::string language_by_settings(std::string_view path, const nlohmann::json& servers);

// Whether any server could have that name: a known one, or one of verify.servers.
bool is_server_name(std::string_view name, const nlohmann::json& servers);

}  // namespace bodkin
