// The text to paste into an agent's settings so that it starts `bodkin mcp`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bodkin {

// Nothing: no such agent is known. `program`: bodkin, as the agent finds it; `root`: the folder to
// serve, absolute, or empty: the agent's.
std::optional<std::string> mcp_config(std::string_view agent, const std::string& program,
                                      const std::string& root);

}  // namespace bodkin
