// Which language server checks a language on this machine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "agent/checkers/language_server.h"

namespace bodkin {

// `servers`: verify.servers. Error, the end of a sentence for the user: there is no server for the
// language, or it is not installed.
Result<ServerCommand> choose_server(std::string_view language, const nlohmann::json& servers,
                                    const std::string& root, bool trusted);

// Whether any server could have that name: a known one, or one of verify.servers.
bool is_server_name(std::string_view name, const nlohmann::json& servers);

}  // namespace bodkin
