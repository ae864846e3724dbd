// Connection: JSON-RPC 2.0 over a transport, for a server (lsp/server) and for the client of a
// child process (child_connection.h). One thread only, unless stated otherwise.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "agent/rpc/message.h"
#include "edits/text/result.h"

namespace bodkin::rpc {

using Json = nlohmann::json;

enum class ErrorCode {  // JSON-RPC 2.0 and LSP 3.17, "Response Message"; others as they say
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,
  request_failed = -32803,
  content_modified = -32801,
  request_cancelled = -32800,
  unsupported_protocol_version = -32022,  // MCP 2026-07-28
};
ErrorCode code_of(const Error& error);

// The differences between protocols based on JSON-RPC.
struct Protocol {
  Framing framing;
  const char* cancel;      // the notification that cancels a request …
  const char* cancel_id;   // … and its member with the request's id
  bool answers_cancelled;  // a cancelled request is still answered, with an error
};
inline constexpr Protocol kLsp{Framing::content_length, "$/cancelRequest", "id", true};
inline constexpr Protocol kMcp{Framing::lines, "notifications/cancelled", "requestId", false};

using Send = std::function<void(const Json&)>;  // any thread

// Answers one request, exactly once: the destructor of an unanswered Reply answers with an error,
// and an answer after a cancellation is dropped. May be moved to any thread.
class Reply {
 public:
  Reply(Json id, Send send);
  Reply(Reply&&) = default;
  Reply& operator=(Reply&&) = default;
  ~Reply();

  void result(Json value);
  // `data`: what the protocol says of such an error; null: nothing.
  void error(ErrorCode code, const std::string& message, Json data = nullptr);
  void error(const Error& error);  // data: {"setting":"bodkin.model.name"}, if it names one
  std::stop_token stop() const;    // requested when the peer cancelled

 private:
  friend class Connection;
  struct State;
  std::shared_ptr<State> state_;
};

class Connection {
 public:
  // `peer`: the other side, at the start of a sentence: "The editor", "clangd".
  explicit Connection(Send send, const Protocol& protocol = kLsp, std::string peer = "The editor");

  using OnRequest = std::function<void(const Json& params, Reply reply)>;
  using OnNotification = std::function<void(const Json& params)>;
  void on_request(std::string method, OnRequest run);
  void on_notification(std::string method, OnNotification run);

  // Whether a method is allowed in the current state; if not, the error that a request gets.
  std::function<std::expected<void, std::pair<ErrorCode, std::string>>(std::string_view method,
                                                                       bool is_request)>
      admit;

  void receive(const std::string& body);  // one message
  // If set, receives everything that is not a valid message, and nothing is answered: answering a
  // child that mixes log lines with its messages would only cause more.
  std::function<void(const std::string& body)> ignored;

  // If set, a notification whose text is not valid UTF-8 is run with U+FFFD for what is not, and
  // `damaged` after it; else it is refused.
  std::function<void(const Json& params)> damaged;

  bool has_pending() const;  // requests of the peer's that are not answered yet

  void notify(const char* method, Json params);  // null: no params; the same for request()
  // `answered` gets the result, or the peer's error as a sentence; then last_error() is the error
  // object of the response, unchanged (code, message, data), else null. Returns the request's id.
  int64_t request(const char* method, Json params, std::function<void(Result<Json>)> answered);
  const Json& last_error() const { return last_error_; }
  // Cancels a request of ours: the peer is told, and its answer is dropped.
  void cancel_request(int64_t id);

 private:
  bool run_damaged(const Json& message);
  void refuse(const std::string& body, ErrorCode code, const char* why);
  void dispatch(const std::string& body, const Json& message);
  void run_request(const std::string& method, const Json& id, const Json& params);
  void cancel(const Json& params);
  void take_response(const Json& message);

  Send send_;
  const Protocol protocol_;
  const std::string peer_;
  Json last_error_;
  std::map<std::string, OnRequest, std::less<>> requests_;
  std::map<std::string, OnNotification, std::less<>> notifications_;
  std::map<std::string, std::weak_ptr<Reply::State>> pending_;  // the peer's, by the dumped id
  size_t sweep_at_ = 0;  // with so many, the answered ones among them are forgotten
  std::map<int64_t, std::function<void(Result<Json>)>> asked_;  // ours
  int64_t next_id_ = 1;
};

}  // namespace bodkin::rpc
