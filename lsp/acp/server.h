// Server: an agent of the Agent Client Protocol on two pipes: it answers the methods, and has the
// sessions. Main thread only. The order of the members is that of destruction, reversed.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/history.h"
#include "agent/rpc/transport.h"
#include "lsp/acp/session.h"

namespace bodkin::acp {

class Server {
 public:
  Server(int input, int output);
  ~Server();
  int run();           // until the end of the input; returns the exit code
  void end(int code);  // any thread; makes `run` return it soon

 private:
  void received(std::optional<rpc::Frame> frame);  // on the reader's thread
  void serve_lifecycle();
  void serve_sessions();
  void serve_turns();
  void open(const Json& params, rpc::Reply reply);  // session/new
  // session/load and session/resume.
  void resume(const Json& params, rpc::Reply reply, bool replays);
  void adopt(const Json& params, LoadedSession loaded, const ShownSession& shown, bool replays,
             const std::shared_ptr<rpc::Reply>& reply);
  void list(const Json& params, rpc::Reply reply);
  void close(const std::string& id);
  void finish_when_answered();
  void finish(int code);
  void end_when_written(int code);
  // Handles requests about an open session; a request without one is answered with an error.
  void on_session_request(const char* method,
                          std::function<void(Session&, const Json& params, rpc::Reply)> run);
  Result<std::shared_ptr<Session>> make_session(const Json& params);
  Session::Host host() { return {loop_, client_, history_, work_}; }

  rpc::Writer writer_;
  rpc::EventLoop loop_;
  rpc::Connection connection_;
  Client client_{loop_, connection_};
  bool is_initialized_ = false, has_given_up_ = false;
  History history_;
  BackgroundWork work_{loop_, [this](const char* what) { loop_.failed(what); }};
  std::map<std::string, std::shared_ptr<Session>> sessions_;
  std::vector<std::shared_ptr<Session>> closed_;  // that still write, and then record it
  uint64_t made_ = 0;                             // sessions
  std::optional<std::chrono::steady_clock::time_point> ends_at_;  // the input has ended
  std::unique_ptr<rpc::Reader> reader_;
};

int serve();  // bodkin acp: on standard input and output; returns the exit code

}  // namespace bodkin::acp
