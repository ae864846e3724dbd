// ChildConnection: JSON-RPC with a child that is a server (a language server, an MCP server), for
// one thread that may block. It has no thread of its own: messages are read, and handlers run,
// while one of its functions waits, on the caller's thread. Threads: one at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "agent/rpc/child.h"
#include "agent/rpc/connection.h"
#include "agent/rpc/message.h"

namespace bodkin::rpc {

class ChildConnection {
 public:
  using Milliseconds = std::chrono::milliseconds;

  // The largest message that is taken; a longer one is left out.
  static constexpr size_t kMaxMessage = size_t{64} << 20;

  ChildConnection(std::unique_ptr<Child> child, const Protocol& protocol);
  ChildConnection(const ChildConnection&) = delete;

  // For what the child sends by itself; to be set before the first request. A handler may not wait
  // here itself. Requests without a handler are refused, notifications are dropped.
  void on_request(std::string method, Connection::OnRequest run);
  void on_notification(std::string method, Connection::OnNotification run);

  // The result. Errors: cancelled (`stop`); unavailable, a sentence for the user: it refused
  // (then last_error() is its error object), ended, does not read, or `timeout` has passed.
  // When the wait is given up the child is told.
  Result<Json> request(const char* method, Json params, const std::stop_token& stop,
                       Milliseconds timeout);
  const Json& last_error() const { return last_error_; }  // null: the last request was not refused

  // Returns when the child's pipe has taken it. Errors as of request.
  Result<void> notify(const char* method, Json params, const std::stop_token& stop,
                      Milliseconds timeout);

  // Takes what the child sends until `is_done`, which is asked after each portion, or `timeout`:
  // false. Errors: cancelled; unavailable (it has ended, or does not read).
  Result<bool> wait_until(const std::function<bool()>& is_done, const std::stop_token& stop,
                          Milliseconds timeout);

  const Child& child() const { return *child_; }
  // In order (Child::stop); what the protocol says before that, as LSP's shutdown, comes from the
  // caller.
  int stop(Milliseconds grace) { return child_->stop(grace); }

 private:
  void send(const Json& message);
  void take(const Frame& frame);

  std::unique_ptr<Child> child_;
  const Protocol protocol_;
  FrameReader frames_;
  Connection connection_;
  std::optional<Error> not_sent_;
  Json last_error_;
};

}  // namespace bodkin::rpc
