// The MCP server on standard input and output: bodkin mcp.
#pragma once

#include <string>

namespace bodkin {

// Blocks until the client ends it. `root`: the only folder that it serves, or empty. Returns the
// exit code: 0 after the end of input.
int serve_mcp(const std::string& root);

}  // namespace bodkin
