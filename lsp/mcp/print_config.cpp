#include "lsp/mcp/print_config.h"

#include <nlohmann/json.hpp>

#include "agent/support/json.h"

namespace bodkin {

namespace {

using Json = nlohmann::ordered_json;

std::string printed(const Json& value) { return text_of_json(value, 2) + "\n"; }

}  // namespace

std::optional<std::string> mcp_config(std::string_view agent, const std::string& program,
                                      const std::string& root) {
  Json arguments = {"mcp"};
  if (!root.empty()) (arguments.push_back("--root"), arguments.push_back(root));
  const auto server = [&] { return Json{{"command", program}, {"args", arguments}}; };
  if (agent == "claude") return printed({{"mcpServers", {{"bodkin", server()}}}});
  if (agent == "codex") {
    // A TOML string is written as JSON writes it. Only the user may decide not to be asked.
    return "[mcp_servers.bodkin]\ncommand = " + Json(program).dump() +
           "\nargs = " + arguments.dump() +
           "\n# Without being asked for each edit:\n# default_tools_approval_mode = \"approve\"\n";
  }
  if (agent == "opencode") {
    Json command = {program};
    for (const Json& one : arguments) command.push_back(one);
    return printed(
        {{"mcp", {{"bodkin", Json{{"type", "local"}, {"command", command}, {"enabled", true}}}}}});
  }
  if (agent == "cline") return printed({{"mcpServers", {{"bodkin", server()}}}});
  if (agent == "vscode") {
    if (root.empty()) arguments = {"mcp", "--root", "${workspaceFolder}"};
    Json one = {{"type", "stdio"}, {"command", program}, {"args", arguments}};
    return printed({{"servers", {{"bodkin", one}}}});
  }
  return std::nullopt;
}

}  // namespace bodkin
