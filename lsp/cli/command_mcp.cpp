// bodkin mcp [--root DIR] [--print-config AGENT]
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "agent/platform/paths.h"
#include "agent/platform/terminal.h"
#include "agent/support/json.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "lsp/cli/ask_screen.h"
#include "lsp/cli/commands.h"
#include "lsp/cli/print_refusal.h"
#include "lsp/mcp/served_folder.h"
#include "lsp/mcp/server.h"

namespace bodkin {

namespace {

namespace fs = std::filesystem;

// The command by which an agent can start this program: its name, if that finds it on PATH, else
// its path.
std::string own_command() {
  std::error_code error;
  const std::string self = os::own_program();
  const auto found = find_program("bodkin");
  if (found && os::equivalent(*found, self, error) && !error) return "bodkin";
  return self.empty() ? "bodkin" : self;
}

// The file in which the agent looks for it.
std::string_view place_of_config(std::string_view agent) {
  if (agent == "claude") return ".mcp.json in the project's folder";
  if (agent == "codex") return "~/.codex/config.toml";
  if (agent == "opencode") return "opencode.json in the project's folder";
  if (agent == "cline") return "Cline's \"Configure MCP Servers\"";
  return ".vscode/mcp.json";
}

using OrderedJson = nlohmann::ordered_json;

std::string printed(const OrderedJson& value) { return text_of_json(value, 2) + "\n"; }

// The text to paste into the settings of an agent so that it starts `bodkin mcp`.
// `program`: bodkin, as the agent finds it; `root`: the folder to serve, absolute, or empty: the
// agent's.
std::string mcp_config(std::string_view agent, const std::string& program,
                       const std::string& root) {
  OrderedJson arguments = {"mcp"};
  if (!root.empty()) (arguments.push_back("--root"), arguments.push_back(root));
  const auto server = [&] { return OrderedJson{{"command", program}, {"args", arguments}}; };
  if (agent == "claude") return printed({{"mcpServers", {{"bodkin", server()}}}});
  if (agent == "codex") {
    // A TOML string is written as JSON writes it. Only the user may decide not to be asked.
    return "[mcp_servers.bodkin]\ncommand = " + OrderedJson(program).dump() +
           "\nargs = " + arguments.dump() +
           "\n# Without being asked for each edit:\n# default_tools_approval_mode = \"approve\"\n";
  }
  if (agent == "opencode") {
    OrderedJson command = {program};
    for (const OrderedJson& one : arguments) command.push_back(one);
    return printed(
        {{"mcp",
          {{"bodkin", OrderedJson{{"type", "local"}, {"command", command}, {"enabled", true}}}}}});
  }
  if (agent == "cline") return printed({{"mcpServers", {{"bodkin", server()}}}});
  if (root.empty()) arguments = {"mcp", "--root", "${workspaceFolder}"};  // VS Code
  OrderedJson one = {{"type", "stdio"}, {"command", program}, {"args", arguments}};
  return printed({{"servers", {{"bodkin", one}}}});
}

}  // namespace

int mcp_command(const McpCommand& options) {
  std::error_code error;
  std::string root = options.root;
  if (!root.empty() && !fs::is_directory(root, error)) {
    say_as("mcp", root + " is not a folder");
    return 2;
  }
  if (!root.empty()) root = os::text_of(os::canonical(root, error));
  if (options.print_config.empty()) {
    if (os::is_terminal(0))
      say_as("mcp", "waiting for an agent; bodkin mcp --print-config NAME sets one up");
    return mcp::serve(root);
  }
  // Cline starts its servers anywhere, and does not say which folder is open.
  if (root.empty() && options.print_config == "cline") root = os::text_of(fs::current_path(error));
  if (!root.empty() && !mcp::servable(root)) {
    say_as("mcp",
           root + " contains all of your files; go to a project folder, or use --root FOLDER");
    return 2;
  }
  for (const std::string& name : {root, own_command()}) {
    if (valid_utf8(name) == name) continue;
    say_as("mcp", fmt::format("the name {} is not UTF-8, which no configuration file can contain; "
                              "rename it",
                              valid_utf8(name)));
    return 2;
  }
  put_bytes(stdout, mcp_config(options.print_config, own_command(), root));
  put(stderr, fmt::format("This goes into {}.\n", place_of_config(options.print_config)));
  if (os::is_absolute(own_command()) && options.print_config != "cline" &&
      options.print_config != "codex")  // files of the project, which others may get
    put(stderr, folded("The path of bodkin holds on this machine; with bodkin on PATH its name is "
                       "enough.\n"));
  if (!root.empty()) {
    put(stderr, folded(fmt::format("It serves {} alone, whatever folder is open{}.\n", root,
                                   options.print_config == "cline"
                                       ? ", since Cline does not say which one that is; add an "
                                         "entry with another name for each folder"
                                       : "")));
  }
  return 0;
}

}  // namespace bodkin
