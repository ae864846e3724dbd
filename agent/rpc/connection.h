// Connection: JSON-RPC 2.0 over a transport. Main thread only, but for what is said otherwise.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>

#include "edits/text/result.h"

namespace bodkin::rpc {

using Json = nlohmann::json;

enum class ErrorCode {  // JSON-RPC 2.0 and LSP 3.17, "Response Message"
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,
  request_failed = -32803,
  content_modified = -32801,
  request_cancelled = -32800,
};
ErrorCode code_of(const Error& error);

using Send = std::function<void(const Json&)>;  // any thread

// The answer to one request. It is given exactly once: a Reply that is destroyed unanswered answers
// with an error itself, and an answer after a cancellation is dropped. May be moved to any thread.
class Reply {
 public:
  Reply(Json id, Send send);
  Reply(Reply&&) = default;
  Reply& operator=(Reply&&) = default;
  ~Reply();

  void result(Json value);
  void error(ErrorCode code, const std::string& message);
  void error(const Error& error);
  std::stop_token stop() const;  // requested when the client cancelled

 private:
  friend class Connection;
  struct State;
  std::shared_ptr<State> state_;
};

class Connection {
 public:
  explicit Connection(Send send);

  using OnRequest = std::function<void(const Json& params, Reply reply)>;
  using OnNotification = std::function<void(const Json& params)>;
  void on_request(std::string method, OnRequest run);
  void on_notification(std::string method, OnNotification run);

  // What the lifecycle allows now; a refusal is the error that the request gets.
  std::function<std::expected<void, std::pair<ErrorCode, std::string>>(std::string_view method,
                                                                       bool is_request)>
      admit;

  void receive(const std::string& body);  // one message
  void notify(const char* method, Json params);
  // `answered` gets the result, or the client's error as a sentence.
  // Returns the request's id.
  int64_t request(const char* method, Json params, std::function<void(Result<Json>)> answered);
  // Nobody waits for the answer any more: the client is told, and what it answers is dropped.
  void take_back(int64_t id);

 private:
  void dispatch(const Json& message);
  void run_request(const std::string& method, const Json& id, const Json& params);
  void cancel(const Json& params);
  void take_response(const Json& message);

  Send send_;
  std::map<std::string, OnRequest, std::less<>> requests_;
  std::map<std::string, OnNotification, std::less<>> notifications_;
  std::map<std::string, std::weak_ptr<Reply::State>> pending_;  // the client's, by the dumped id
  std::map<int64_t, std::function<void(Result<Json>)>> asked_;  // ours
  int64_t next_id_ = 1;
};

}  // namespace bodkin::rpc
