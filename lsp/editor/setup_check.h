// check_setup: what works here, in sentences for the user: which model would be asked and why,
// whether a small request to it works, settings, keys (which, never their values), local servers,
// MCP servers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/models/providers/providers.h"
#include "agent/tools/mcp_settings.h"

namespace bodkin {

using SayLine = std::function<void(const std::string& line)>;

// Blocks: up to a minute for a model that does not answer. Any thread but the loop's. `editor` may
// be null. The MCP servers are started, and ended again. False: no model answered, or an MCP server
// did not.
bool check_setup(const ModelSettings& settings, const std::vector<McpServer>& mcp_servers,
                 EditorModels* editor, const Task& task, const SayLine& say);

}  // namespace bodkin
