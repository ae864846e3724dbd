// ChildConnection: JSON-RPC with a child process that is a server (a language server, an MCP
// server), for a thread that may block. It has no thread of its own: messages are read, and
// handlers run, on the caller's thread while one of its functions waits. Threads: one at a time.
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

  // Longer messages are skipped.
  static constexpr size_t kMaxMessage = size_t{64} << 20;

  ChildConnection(std::unique_ptr<Child> child, const Protocol& protocol);
  ChildConnection(const ChildConnection&) = delete;

  // For setting the handlers of messages that the child sends unasked, before the first request. A
  // handler must not call a function of this class that waits. Without a handler, requests are
  // refused and notifications dropped.
  Connection& handlers() { return connection_; }

  // Returns the result. Errors: cancelled (`stop`); unavailable, a sentence for the user: the child
  // answered with an error (see last_error()), has ended, does not read, or `timeout` has passed.
  // If the wait is given up, the request is cancelled.
  Result<Json> request(const char* method, Json params, const std::stop_token& stop,
                       Milliseconds timeout);
  // The error object that answered the last request; null: none.
  const Json& last_error() const { return last_error_; }

  // If patient, a wait goes on after its time limit while the child is at work, but has not had
  // that much processor time since the limit was over; three such limits at most.
  void be_patient(bool is_patient) { is_patient_ = is_patient; }
  // Whether the last wait was given up although the child was at work, and got too little time.
  bool was_starved() const { return was_starved_; }

  // Called by a handler: the current wait ends no earlier than `time` from now, despite its time
  // limit.
  void prolong(Milliseconds time);

  // Returns when all of it has been written to the child's pipe. Errors as for request().
  Result<void> notify(const char* method, Json params, const std::stop_token& stop,
                      Milliseconds timeout);

  // Handles what the child sends until `is_done()`, which is called after each chunk; false after
  // `timeout`. Errors: cancelled; unavailable (it has ended, or does not read).
  Result<bool> wait_until(const std::function<bool()>& is_done, const std::stop_token& stop,
                          Milliseconds timeout);

  const Child& child() const { return *child_; }
  // See Child::stop. The protocol's own shutdown sequence, such as LSP's shutdown and exit, is the
  // caller's job.
  int stop(Milliseconds grace) { return child_->stop(grace); }

 private:
  void send(const Json& message);
  void take(const Frame& frame);

  std::unique_ptr<Child> child_;
  const Protocol protocol_;
  FrameReader frames_;
  Connection connection_;
  std::optional<Error> not_sent_;
  Child::Clock::time_point until_;  // the end of the current wait
  Json last_error_;
  bool is_patient_ = false, was_starved_ = false;
};

}  // namespace bodkin::rpc
