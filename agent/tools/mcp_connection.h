// McpConnection: JSON-RPC with one MCP server, over the pipes of a program or HTTP. For a thread
// that may block; handlers run on it while one of the functions waits. Threads: one at a time.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>

#include "agent/rpc/child.h"
#include "agent/rpc/connection.h"
#include "agent/tools/mcp_settings.h"

namespace bodkin {

class McpConnection {
 public:
  using Milliseconds = std::chrono::milliseconds;
  virtual ~McpConnection() = default;

  // Like rpc::ChildConnection's functions of these names.
  virtual rpc::Connection& handlers() = 0;
  // Sets the version for the requests that follow; "": none has been agreed on. `is_modern`:
  // 2026-07-28 or later.
  virtual void set_version(const std::string& version, bool is_modern) = 0;

  // Likewise.
  virtual Result<nlohmann::json> request(const char* method, nlohmann::json params,
                                         const std::stop_token& stop, Milliseconds timeout) = 0;
  virtual const nlohmann::json& last_error() const = 0;
  virtual void prolong(Milliseconds time) = 0;
  virtual Result<void> notify(const char* method, nlohmann::json params,
                              const std::stop_token& stop, Milliseconds timeout) = 0;

  // Handles what the server has sent since, without waiting. False: it has ended.
  virtual bool poll(const std::stop_token& stop) = 0;
  virtual void stop(Milliseconds grace) = 0;  // nothing may be called after it
};

std::unique_ptr<McpConnection> connect_to_program(std::unique_ptr<rpc::Child> child);
// Streamable HTTP (Model Context Protocol, "Transports"), to the server's `url`. Connects with the
// first request. `headers`: "Name: value" each. `name`: the server's, at the start of a sentence.
std::unique_ptr<McpConnection> connect_by_http(const McpServer& server,
                                               std::vector<std::string> headers, std::string name);

}  // namespace bodkin
