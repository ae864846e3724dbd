// Chooses the folder that a call is about: --root, else what the client says, else
// CLAUDE_PROJECT_DIR, else the folder that the server was started in.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "edits/text/result.h"

namespace bodkin::mcp {

// The root in the client's answer to roots/list; nothing: it names no folder. Error, for the model:
// it names several, or one that is not served (servable()) or not on this machine.
std::optional<Result<std::string>> root_of_answer(const nlohmann::json& answer);

// This process's own root. `given`: --root, or empty.
Result<std::string> own_root(const std::string& given);

}  // namespace bodkin::mcp
