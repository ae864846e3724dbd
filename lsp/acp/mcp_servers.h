// The MCP servers that an editor passes with a session. Pure.
#pragma once

#include <vector>

#include "agent/rpc/connection.h"
#include "agent/tools/mcp_settings.h"

namespace bodkin::acp {

// `given`: [{"name", "command", "args", "env": [{"name", "value"}]}] or, of each, {"type": "http",
// "name", "url", "headers": [{"name", "value"}]}, as the protocol has them.
// `known`: the user's own ones. A name becomes one that ours may have, and differs from all others.
// They run outside of the sandbox, as the editor would start them. `problems`: those on other
// transports, and the malformed and superfluous ones.
McpSettings servers_of_editor(const rpc::Json& given, const std::vector<McpServer>& known,
                              const std::vector<std::string>& insecure_hosts);

}  // namespace bodkin::acp
