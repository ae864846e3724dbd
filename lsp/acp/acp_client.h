// Client: the editor at the other end of the protocol: updates to it, and requests with deadlines.
// Main thread only, unless stated otherwise.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

#include "agent/rpc/event_loop.h"
#include "lsp/acp/acp_protocol.h"

namespace bodkin::acp {

class Client {
 public:
  using Milliseconds = std::chrono::milliseconds;
  using Answered = std::function<void(Result<Json>)>;

  static constexpr Milliseconds kFileDeadline{10'000};
  // The limit for questions to the user: cards that an editor never draws must not hold a turn for
  // ever.
  static constexpr Milliseconds kUserDeadline{3'600'000};

  // The message of the error when the deadline has passed.
  static constexpr const char* kSilent = "The editor has not answered.";

  // Both outlive this.
  Client(rpc::EventLoop& loop, rpc::Connection& connection)
      : loop_(loop), connection_(connection) {}

  ClientAbilities can;  // set before the first session; then any thread reads it
  // True once it has given the text of any file: then an empty one is not a stub's. Any thread.
  std::atomic<bool> gives_texts = false;

  void update(const std::string& session, Json update);  // session/update

  // `answered` gets the result, or an error for the user: unavailable (the editor has refused, or
  // the deadline has passed), cancelled. Returns the argument of cancel().
  uint64_t request(const char* method, Json params, Milliseconds deadline, Answered answered);
  void cancel(uint64_t request);  // the editor is told; `answered` gets cancelled. Unknown: nothing

  // Any thread but the loop's. The same, and waits. Error: cancelled (`stop`), too.
  Result<Json> wait(const char* method, Json params, Milliseconds deadline,
                    const std::stop_token& stop);

 private:
  struct Open {
    int64_t id = 0;  // of the JSON-RPC request
    Answered answered;
  };
  void finish(uint64_t request, Result<Json> result);
  void give_up(uint64_t request, Error::Code code, const char* why);

  rpc::EventLoop& loop_;
  rpc::Connection& connection_;
  std::map<uint64_t, Open> open_;
  uint64_t next_ = 1;
};

}  // namespace bodkin::acp
