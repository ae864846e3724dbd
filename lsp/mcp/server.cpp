#include "lsp/mcp/server.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "agent/models/http/retry.h"
#include "agent/platform/processes.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "lsp/server/ending_signals.h"
#include "lsp/server/standard_streams.h"
#include "lsp/workspace/settings.h"

namespace bodkin::mcp {

using nlohmann::json;
using rpc::ErrorCode;

namespace {

// How long running calls may still take when the input has ended.
constexpr std::chrono::milliseconds kLastCalls{500};

void refuse(rpc::Reply& reply, const Refusal& refusal) {
  reply.error(refusal.code, refusal.message, refusal.data);
}

}  // namespace

Server::Server(int input, int output, std::string root)
    : root_(std::move(root)),
      writer_(std::make_unique<rpc::Writer>(output, rpc::Framing::lines)),
      connection_([this](const json& message) { send(message); }, rpc::kMcp, "The client"),
      work_(loop_, [](const char* what) {
        put(stderr, std::string("bodkin mcp: internal error: ") + what + "\n");
      }) {
  loop_.failed = [](const char* what) {
    put(stderr, std::string("bodkin mcp: internal error: ") + what + "\n");
  };
  if (const auto own = own_folder())
    if (const auto folder = ConfinedFolder::open(*own)) (void)shared_.check_unchanged(*folder);
  serve_methods();
  reader_ = std::make_unique<rpc::Reader>(
      input, [this](std::optional<rpc::Frame> frame) { received(std::move(frame)); },
      rpc::Framing::lines);
}

int Server::run() { return loop_.run(); }

void Server::send(json message) {
  if (!writer_) return;
  // MCP's schema has no null id: an error without a request has none.
  if (message.contains("error") && message["id"].is_null()) message.erase("id");
  writer_->send(text_of_json(message));
}

void Server::end(int code) { loop_.stop(code); }

void Server::shut_down() {
  reader_.reset();
  work_.stop();
  without_root_.clear();
  readers_.clear();
  writers_.clear();
  writer_.reset();
}

void Server::exit_between_changes(int code) {
  shared_.changing.lock();
  os::end_now(code);
}

// On the reader's thread.
void Server::received(std::optional<rpc::Frame> frame) {
  if (!frame) {
    return loop_.post_reliably([this] {
      ended_ = true;
      if (running_ == 0) return loop_.stop(0);
      loop_.post_after(kLastCalls, [this] { loop_.stop(0); });
    });
  }
  loop_.post([this, frame = *std::move(frame)] {
    if (writer_->has_given_up()) {
      put(stderr, "bodkin mcp: the client has stopped reading; shutting down.\n");
      return loop_.stop(1);
    }
    if (frame.problem.empty()) return connection_.receive(frame.body);
    writer_->send(json{
        {"jsonrpc", "2.0"},
        {"error", {{"code", static_cast<int>(ErrorCode::parse_error)}, {"message", frame.problem}}}}
                      .dump());
  });
}

void Server::on_request(const char* method,
                        std::function<void(Params, const Caller&, rpc::Reply)> answer) {
  connection_.on_request(method,
                         [this, answer = std::move(answer)](Params params, rpc::Reply reply) {
                           const auto caller = caller_of(params, connected_);
                           if (!caller) return refuse(reply, caller.error());
                           answer(params, *caller, std::move(reply));
                         });
}

void Server::serve_methods() {
  connection_.on_request("initialize", [this](Params params, rpc::Reply reply) {
    auto result = initialize_result(params);
    if (!result) return refuse(reply, result.error());
    const json& capabilities = at(params, "capabilities");
    connected_ = Caller{false, capabilities.is_object() ? capabilities : json::object()};
    client_root_.reset();
    reply.result(*std::move(result));
  });
  connection_.on_request("ping", [this](Params params, rpc::Reply reply) {
    // A ping may come before initialize; later versions have none.
    const auto caller = caller_of(params, connected_.value_or(Caller()));
    if (!caller) return refuse(reply, caller.error());
    if (caller->is_modern) return reply.error(ErrorCode::method_not_found, "Unknown request: ping");
    reply.result(json::object());
  });
  on_request("server/discover", [](Params, const Caller& caller, rpc::Reply reply) {
    if (!caller.is_modern)
      return reply.error(ErrorCode::method_not_found, "Unknown request: server/discover");
    reply.result(result_for(caller, discover_result(), true));
  });
  on_request("tools/list", [](Params params, const Caller& caller, rpc::Reply reply) {
    if (!at(params, "cursor").is_null())  // there is one page, so that none was given
      return reply.error(ErrorCode::invalid_params, "Unknown cursor.");
    reply.result(result_for(caller, {{"tools", tools_json()}}, true));
  });
  on_request("tools/call", [this](Params params, const Caller& caller, rpc::Reply reply) {
    call_tool(params, caller, std::move(reply));
  });
  connection_.on_notification("notifications/roots/list_changed", [this](const json&) {
    client_root_.reset();
    roots_changed_ = roots_request_ != 0;
  });
}

namespace {

constexpr std::chrono::milliseconds kOrderlyEnd{300};

// Ends the process if putting everything in order takes too long: a call may wait for another
// process's lock, and a client may not read.
class Deadline {
 public:
  Deadline(Server& server, int code)
      : thread_([&server, code](const std::stop_token& stop) {
          if (wait_for(kOrderlyEnd, stop)) server.exit_between_changes(code);
        }) {}

 private:
  std::jthread thread_;
};

}  // namespace

int serve(const std::string& root) {
  const auto streams = take_standard_streams();
  if (!streams) return 2;
  for (const std::string& problem : lsp::own_settings().problems())
    put(stderr, "bodkin mcp: settings: " + plain_line(problem) + "\n");
  Server server(streams->input, streams->output, root);
  const EndingSignals signals([&server](int signal) { server.end(128 + signal); });
  const int code = server.run();
  const Deadline deadline(server, code);
  server.shut_down();
  return code;
}

}  // namespace bodkin::mcp
