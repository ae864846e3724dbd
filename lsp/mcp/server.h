// Server: MCP on two pipes, for agents that have a model of their own. One thread owns the state
// (EventLoop); each tool call has a thread: at most kMaxAtOnce that read, and one that writes.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/rpc/connection.h"
#include "agent/rpc/event_loop.h"
#include "agent/rpc/transport.h"
#include "lsp/mcp/protocol_generation.h"
#include "lsp/mcp/shared.h"
#include "lsp/mcp/tool_table.h"
#include "lsp/sessions/background_work.h"

namespace bodkin::mcp {

class Server {
 public:
  // `root`: --root; or empty.
  Server(int input, int output, std::string root);
  ~Server() { shut_down(); }
  Server(const Server&) = delete;

  int run();           // until the input ends; returns the exit code
  void end(int code);  // any thread
  // Cancels running calls, waits for them, and writes the queue.
  void shut_down();
  // Ends the process, but never in the middle of a change of files. Any thread.
  [[noreturn]] void exit_between_changes(int code);

 private:
  static constexpr size_t kMaxAtOnce = 8;

  struct Call {
    const ServedTool* tool = nullptr;
    nlohmann::json arguments;
    bool is_read_only = false;
    Caller caller;
    nlohmann::json progress_token;  // null: no progress is wanted
    int64_t progress = 0;           // as last told
    std::stop_token stop;
    rpc::Reply reply;
    std::string root;
    Word word;
    // Tells the client that its question to the user is void, once the call is cancelled.
    std::unique_ptr<std::stop_callback<std::function<void()>>> when_cancelled;
  };
  using CallPtr = std::shared_ptr<Call>;
  using Params = const nlohmann::json&;

  void received(std::optional<rpc::Frame> frame);
  void serve_methods();
  // A request that only makes sense in one generation of the protocol.
  void on_request(const char* method,
                  std::function<void(Params, const Caller&, rpc::Reply)> answer);
  void call_tool(Params params, const Caller& caller, rpc::Reply reply);
  void find_root(Params params, const CallPtr& call);
  void ask_for_roots(const CallPtr& call);
  void send_roots_request();
  void take_roots(std::optional<Result<std::string>> root);
  void start(const CallPtr& call, const Result<std::string>& root);
  void run(const CallPtr& call);
  void queue(const CallPtr& call);
  // Asks for what only the user may allow: the call is made again with the answer.
  void ask_user(const CallPtr& call, const ToolText::Question& question);
  void run_next();
  void forget_cancelled_calls();
  void send(nlohmann::json message);
  void tell_progress(const CallPtr& call, const std::string& words);
  void tick(const std::weak_ptr<Call>& call);
  void answer(const CallPtr& call, ToolText result);

  // The folder of this process, as it was when it began.
  Result<std::string> own_folder();

  const std::string root_;
  Result<std::string> own_ = fail(Error::Code::unavailable, "");
  std::unique_ptr<rpc::Writer> writer_;
  rpc::EventLoop loop_;
  rpc::Connection connection_;
  Shared shared_;
  std::optional<Caller> connected_;  // by initialize
  // The client's answer to roots/list of a connection that was initialized; nullopt: not asked.
  std::optional<Result<std::string>> client_root_;
  std::vector<CallPtr> without_root_;  // wait for that answer
  int64_t roots_request_ = 0;          // its request; 0: none is open
  bool roots_changed_ = false;         // since it was sent
  int roots_asked_again_ = 0;
  // A writer waits for other programs, and for editors: the others hold no thread meanwhile.
  std::deque<CallPtr> readers_, writers_;
  size_t asking_ = 0;  // calls that wait for the user
  size_t running_ = 0;
  bool writer_runs_ = false;
  bool ended_ = false;  // the input has
  BackgroundWork work_;
  std::unique_ptr<rpc::Reader> reader_;
};

// bodkin mcp: on standard input and output, until the client ends it. `root`: the only folder that
// it serves, or empty. Returns the exit code: 0 after the end of input.
int serve(const std::string& root);

}  // namespace bodkin::mcp
