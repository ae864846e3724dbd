// The MCP servers that the user has configured, from the setting bodkin.agent.mcpServers. Pure.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace bodkin {

struct McpServer {
  std::string name;                           // [A-Za-z][A-Za-z0-9_-]*, at most 32 bytes, no "__"
  std::vector<std::string> command;           // the program first
  std::vector<std::string> set_variables;     // "NAME=value": its `env`
  std::vector<std::string> also_variables;    // names of ours that it gets: its `environment`
  bool is_confined = true;                    // it runs in a sandbox
  bool network = false;                       // of a confined one
  std::vector<std::string> readable;          // of a confined one; see SandboxSettings
  std::chrono::milliseconds timeout{60'000};  // of a call, and of its start if less than 10 s

  friend bool operator==(const McpServer&, const McpServer&) = default;
};

struct McpSettings {
  std::vector<McpServer> servers;     // by name
  std::vector<std::string> problems;  // a sentence for the user for each that is not used
};

// {"NAME": {"command", "args"?, "env"?: {"NAME": "value"}, "environment"?: ["NAME"],
//  "sandbox"?: true, "network"?: false, "readable"?: ["~/docs"], "timeoutMs"?: 60000,
//  "disabled"?: false}}. A server with an unknown member or a value of the wrong type is not used.
McpSettings mcp_settings(const nlohmann::json& given);

}  // namespace bodkin
