// check_setup: reports what works here, in sentences for the user: which model would be asked and
// why, whether a small request to it works, settings, keys (which, never their values), local
// servers, MCP servers, the checkers of the workspace's languages; and what is missing, with the
// commands that install it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/models/providers/providers.h"
#include "agent/tools/mcp_settings.h"
#include "agent/workspace/roots.h"

namespace bodkin {

using SayLine = std::function<void(const std::string& line)>;

// The workspace in which it is asked, whose languages need a checker.
struct SetupWorkspace {
  Roots roots;
  bool is_trusted = false;
  nlohmann::json servers;  // verify.servers
};

// Blocks: up to a minute for a model that does not answer. Any thread but the loop's. `editor` may
// be null. The MCP servers are started, and ended again. False: no model answered, or an MCP server
// did not.
bool check_setup(const ModelSettings& settings, const std::vector<McpServer>& mcp_servers,
                 const SetupWorkspace& workspace, EditorModels* editor, const Task& task,
                 const SayLine& say);

// Checks only whether the model answers a small request.
bool check_model(const ModelSettings& settings, EditorModels* editor, const Task& task,
                 const SayLine& say);

// Checks only the checkers of the workspace's languages, and what they lack.
void check_checkers(const SetupWorkspace& workspace, const Task& task, const SayLine& say);

}  // namespace bodkin
