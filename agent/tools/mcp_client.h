// McpClient: one MCP server, as its client: a program that is started, or one that is reached by
// HTTP (Model Context Protocol, "Lifecycle").
//
// It is asked with `server/discover` (2026-07-28), and then each request carries the version. One
// that does not know that is greeted with `initialize`. What a server asks of the user is declined:
// nobody is asked in a server's words.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>

#include "agent/support/task.h"
#include "agent/tools/mcp_connection.h"
#include "agent/tools/mcp_messages.h"
#include "agent/tools/mcp_settings.h"
#include "agent/workspace/roots.h"

namespace bodkin {

// Threads: one at a time. Each function returns, whatever the server does: after its time limit, or
// when stopped. Errors are sentences for the user: cancelled; unavailable.
class McpClient {
 public:
  static constexpr std::chrono::seconds kStartLimit{10};  // until its tools are known
  // The time left to a server that had to wait for others.
  static constexpr std::chrono::seconds kLeastLimit{2};

  explicit McpClient(McpServer server) : server_(std::move(server)) {}
  ~McpClient() { stop(); }
  McpClient(const McpClient&) = delete;

  const McpServer& server() const { return server_; }
  // Starts the program, if it does not run. Does not wait for its answer.
  Result<void> start(const std::stop_token& stop);
  // Starts it if necessary, and returns its tools: asked for again only if it has said that they
  // have changed.
  Result<McpToolList> tools(const Task& task);
  // Starts it if necessary, and calls one of its tools. What the server reports as progress goes to
  // the task, and prolongs its time. After an error it may have been ended; the next call starts it
  // again. Nothing is called twice.
  Result<McpResult> call(const std::string& tool, nlohmann::json arguments, bool takes_images,
                         const Task& task);
  // The workspace's folders, for a server that asks for them.
  void set_roots(const Roots& roots);
  void stop();  // in an orderly way, within half a second

 private:
  using Milliseconds = std::chrono::milliseconds;
  using Clock = std::chrono::steady_clock;

  Result<void> start_program(const std::stop_token& stop);
  Result<void> connect();
  void set_version(std::string version, bool is_modern);
  Result<void> greet(const std::stop_token& stop);
  Result<void> initialize(std::string_view version, const std::stop_token& stop);
  Result<void> discover(const std::stop_token& stop, Milliseconds timeout);
  Result<void> list(const std::stop_token& stop);
  Result<void> make_ready(const std::stop_token& stop);
  Result<void> try_to_be_ready(const std::stop_token& stop);
  Result<nlohmann::json> request(const char* method, nlohmann::json params,
                                 const std::stop_token& stop, Milliseconds timeout);
  void set_handlers();
  // Whether the result asks for input that there is; then `params` are those of the next try.
  bool give_input(const nlohmann::json& result, nlohmann::json& params) const;
  void take_progress(const nlohmann::json& params);
  bool still_answers(const std::stop_token& stop);
  void poll_messages(const std::stop_token& stop);
  Milliseconds time_left() const;
  Milliseconds start_limit() const;
  Error lost(const Error& error);
  std::string name() const { return "The MCP server \"" + server_.name + "\""; }

  const McpServer server_;
  std::unique_ptr<McpConnection> connection_;  // null: it does not run
  Clock::time_point started_, ready_by_, listed_;
  bool is_ready_ = false, is_modern_ = false, is_stale_ = false;
  bool is_old_ = false;  // it has been greeted with `initialize`, and will be again
  std::string version_;  // of the protocol, once it is known
  McpToolList tools_;
  nlohmann::json roots_ = {{"roots", nlohmann::json::array()}};  // the result of roots/list
  int64_t calls_ = 0;                  // the number of the current call is its progress token
  const Task* task_ = nullptr;         // of the current call
  Clock::time_point call_end_, told_;  // when the call ends whatever its progress; progress told
};

}  // namespace bodkin
