// The MCP servers that the user has configured, from the setting bodkin.agent.mcpServers. Pure,
// but for the variables of headers.
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "edits/text/result.h"

namespace bodkin {

struct McpServer {
  std::string name;  // [A-Za-z][A-Za-z0-9_-]*, at most 32 bytes, no "__"
  std::string url;   // of one that is reached by HTTP; else empty
  std::vector<std::pair<std::string, std::string>> headers;  // for it; see expanded_headers
  bool has_variables = true;                  // "${NAME}" in a header means one of ours
  std::vector<std::string> command;           // the program first
  std::vector<std::string> set_variables;     // "NAME=value": its `env`
  std::vector<std::string> also_variables;    // names of ours that it gets: its `environment`
  bool is_confined = true;                    // it runs in a sandbox; not if it has a URL
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
//  "disabled"?: false}}, or {"url", "headers"?: {"Name": "Bearer ${NAME}"}} instead of what a
//  program
// has. A server with an unknown member or a value of the wrong type is not used. `insecure_hosts`:
// to which headers may be sent unencrypted.
McpSettings mcp_settings(const nlohmann::json& given,
                         const std::vector<std::string>& insecure_hosts = {});

// Why a server at this URL, with these headers, is not used, as the end of a sentence; or empty.
std::string why_not_reachable(const McpServer& server,
                              const std::vector<std::string>& insecure_hosts);

// "Name: value" each, with the variables of our environment for their "${NAME}". Error, as the end
// of a sentence: unavailable (a variable is not set, or no header can have its value).
Result<std::vector<std::string>> expanded_headers(const McpServer& server);
// `name`: of a header or a variable.
bool may_hold_secret(std::string_view name);
// The variables that the headers name.
std::vector<std::string> variables_of_headers(const McpServer& server);

}  // namespace bodkin
