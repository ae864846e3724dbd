#include "agent/tools/mcp_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agent/rpc/uri.h"
#include "agent/sandbox/sandbox.h"
#include "agent/support/program.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "edits/text/shortened.h"

namespace bodkin {

namespace {

using nlohmann::json;
using namespace std::chrono_literals;

using Milliseconds = std::chrono::milliseconds;

constexpr int kMaxPages = 20;         // of tools/list
constexpr auto kLongestCall = 10min;  // whatever its progress
constexpr auto kPingLimit = 2s;
constexpr auto kListAge = 60s;  // after which one that cannot say that its tools changed is asked
constexpr auto kProgressPause = 500ms;  // between two reports of progress
constexpr auto kStopGrace = 200ms;
constexpr size_t kMaxProgress = 200;  // bytes of a message

constexpr int kMaxRounds = 5;  // of questions in one call

json declined() { return {{"action", "decline"}}; }

// Over HTTP a schema may say that an argument is sent as a header, too ("x-mcp-header"), which
// anything in between reads: that is not done.
bool wants_headers(const json& tool) {
  return at(tool, "inputSchema")
      .dump(-1, ' ', false, json::error_handler_t::replace)
      .contains("\"x-mcp-header\"");
}

class TaskOfCall {
 public:
  TaskOfCall(const Task*& slot, const Task& task) : slot_(slot) { slot_ = &task; }
  ~TaskOfCall() { slot_ = nullptr; }
  TaskOfCall(const TaskOfCall&) = delete;

 private:
  const Task*& slot_;
};

}  // namespace

// Decides: what an MCP server is given.
Result<void> McpClient::start(const std::stop_token& stop) {
  if (connection_) return {};
  auto started = server_.url.empty() ? start_program(stop) : connect();
  if (!started) return started;
  started_ = Clock::now();
  is_ready_ = is_stale_ = false;
  set_version("", false);
  tools_ = {};
  set_handlers();
  return {};
}

Result<void> McpClient::connect() {
  auto headers = expanded_headers(server_);
  if (!headers)
    return fail(Error::Code::unavailable, name() + " cannot be used: " + headers.error().message);
  connection_ = connect_by_http(server_, *std::move(headers), name());
  return {};
}

Result<void> McpClient::start_program(const std::stop_token& stop) {
  rpc::Command command;
  command.arguments = server_.command;
  command.name = name();
  std::string first_input;
  if (server_.is_confined) {
    // PATH is looked at here, where no workspace folder counts.
    auto program = find_program(server_.command[0]);
    if (!program)
      return fail(Error::Code::unavailable, name() + " did not start: " + program.error().message);
    command.arguments[0] = *program;
    SandboxSettings settings{.network = server_.network,
                             .readable = server_.readable,
                             .environment = server_.also_variables};
    settings.readable.push_back(*program);
    auto walled = sandboxed_server(command.arguments, settings, server_.set_variables, stop);
    if (!walled) {
      return fail(Error::Code::unavailable,
                  fmt::format("{} did not start: {}; with \"sandbox\": false in its settings it "
                              "runs without a sandbox, with your rights.",
                              name(), walled.error().message));
    }
    command.arguments = std::move(walled->arguments);
    command.environment = environment_for(Variables::basic, {}, {});
    first_input = std::move(walled->first_input);
  } else {
    command.environment =
        environment_for(Variables::basic, server_.also_variables, server_.set_variables);
  }
  auto child = rpc::Child::start(command);
  if (!child) return std::unexpected(child.error());
  if (!first_input.empty()) {
    if (auto written = (*child)->write(first_input); !written)
      return std::unexpected(written.error());
  }
  connection_ = connect_to_program(std::move(*child));
  return {};
}

void McpClient::set_handlers() {
  connection_->handlers().on_request(
      "ping", [](const json&, rpc::Reply reply) { reply.result(json::object()); });
  connection_->handlers().on_request(
      "roots/list", [this](const json&, rpc::Reply reply) { reply.result(roots_); });
  connection_->handlers().on_request(
      "elicitation/create", [](const json&, rpc::Reply reply) { reply.result(declined()); });
  connection_->handlers().on_notification("notifications/tools/list_changed",
                                          [this](const json&) { is_stale_ = true; });
  connection_->handlers().on_notification("notifications/progress",
                                          [this](const json& params) { take_progress(params); });
}

void McpClient::take_progress(const json& params) {
  if (!task_ || int_at(params, "progressToken") != calls_) return;
  const auto now = Clock::now();
  const auto left = std::chrono::duration_cast<Milliseconds>(call_end_ - now);
  connection_->prolong(std::clamp(left, Milliseconds(0), server_.timeout));
  const std::string words = string_at(params, "message");
  if (words.empty() || !task_->report || now < told_ + kProgressPause) return;
  told_ = now;
  task_->report({Progress::Kind::status,
                 server_.name + ": " + plain_line(shortened_to(words, kMaxProgress))});
}

McpClient::Milliseconds McpClient::start_limit() const {
  return std::min<Milliseconds>(kStartLimit, server_.timeout);
}

McpClient::Milliseconds McpClient::time_left() const {
  const auto left = ready_by_ - Clock::now();
  return std::max(std::chrono::duration_cast<Milliseconds>(left), Milliseconds(0));
}

// It is of no use any more: the next call starts it again. One that was greeted can be left
// waiting, but none is greeted twice.
Error McpClient::lost(const Error& error) {
  if (error.code == Error::Code::cancelled && is_ready_) return error;
  stop();
  return error;
}

void McpClient::set_roots(const Roots& roots) {
  json list = json::array();
  for (const Root& root : roots)
    list.push_back({{"uri", rpc::uri_of_path(root.folder)}, {"name", root.name}});
  roots_ = {{"roots", std::move(list)}};
}

Result<void> McpClient::list(const std::stop_token& stop) {
  is_stale_ = false;
  McpToolList found;
  std::string cursor;
  for (int page = 0; page < kMaxPages; ++page) {
    json params = json::object();
    if (!cursor.empty()) params["cursor"] = cursor;
    auto listed = request("tools/list", std::move(params), stop, time_left());
    if (!listed) return std::unexpected(listed.error());
    const json& tools = at(*listed, "tools");
    if (!tools.is_array())
      return fail(Error::Code::unavailable, name() + " did not answer with a list of tools.");
    for (const json& tool : tools) {
      if (is_modern_ && !server_.url.empty() && wants_headers(tool)) {
        found.leave_out(string_at(tool, "name"), "it wants arguments in HTTP headers");
      } else {
        found.add(server_.name, tool);
      }
    }
    std::string next = string_at(*listed, "nextCursor");
    if (next.empty() || next == cursor) break;
    cursor = std::move(next);
  }
  tools_ = std::move(found);
  listed_ = Clock::now();
  return {};
}

Result<void> McpClient::make_ready(const std::stop_token& stop) {
  poll_messages(stop);
  const bool was_ready = is_ready_;
  auto ready = try_to_be_ready(stop);
  // A session that the server has ended since is begun again.
  if (!ready && was_ready && !connection_->poll(stop)) {
    this->stop();
    ready = try_to_be_ready(stop);
  }
  if (!ready) return std::unexpected(lost(ready.error()));
  is_ready_ = true;
  return {};
}

Result<void> McpClient::try_to_be_ready(const std::stop_token& stop) {
  if (auto started = start(stop); !started) return started;
  ready_by_ = is_ready_ ? Clock::now() + start_limit()
                        : std::max(started_ + start_limit(), Clock::now() + kLeastLimit);
  auto ready = is_ready_ ? Result<void>() : greet(stop);
  if (ready && is_stale_) {
    ready = list(stop);
    if (!ready) is_stale_ = true;
  }
  return ready;
}

// Takes what it has sent since it was last waited for; if it has ended, it no longer runs.
void McpClient::poll_messages(const std::stop_token& stop) {
  if (connection_ && is_ready_ && !connection_->poll(stop)) this->stop();
}

Result<McpToolList> McpClient::tools(const Task& task) {
  if (!server_.url.empty() && is_ready_ && Clock::now() > listed_ + kListAge) is_stale_ = true;
  if (auto ready = make_ready(task.stop); !ready) return std::unexpected(ready.error());
  return tools_;
}

bool McpClient::still_answers(const std::stop_token& stop) {
  if (is_modern_ || !connection_->poll(stop)) return false;  // there is no ping any more
  const auto pinged = request("ping", json::object(), stop, kPingLimit);
  return pinged || !connection_->last_error().is_null();
}

Result<McpResult> McpClient::call(const std::string& tool, json arguments, bool takes_images,
                                  const Task& task) {
  if (auto ready = make_ready(task.stop); !ready) return std::unexpected(ready.error());
  ++calls_;
  call_end_ = Clock::now() + std::max<Clock::duration>(kLongestCall, server_.timeout);
  told_ = {};
  const auto result = [&] {
    const TaskOfCall of_call(task_, task);
    json params = {{"name", tool},
                   {"arguments", std::move(arguments)},
                   {"_meta", {{"progressToken", calls_}}}};
    auto answer = request("tools/call", params, task.stop, server_.timeout);
    for (int i = 0; i < kMaxRounds && answer && give_input(*answer, params); ++i)
      answer = request("tools/call", params, task.stop, server_.timeout);
    return answer;
  }();
  if (result) return read_mcp_result(*result, takes_images);
  if (!connection_->last_error().is_null()) {
    return McpResult{"The server refused the call: " + result.error().message, true, {}};
  }
  if (result.error().code == Error::Code::cancelled) return std::unexpected(result.error());
  if (!still_answers(task.stop)) return std::unexpected(lost(result.error()));
  return std::unexpected(result.error());
}

bool McpClient::give_input(const json& result, json& params) const {
  if (string_at(result, "resultType") != "input_required") return false;
  json responses = json::object();
  const json asked = at(result, "inputRequests");
  if (!asked.is_object()) return false;
  for (const auto& [key, one] : asked.items()) {
    const std::string method = string_at(one, "method");
    if (method != "elicitation/create" && method != "roots/list") return false;
    responses[key] = method == "roots/list" ? roots_ : declined();
  }
  params["inputResponses"] = std::move(responses);
  params.erase("requestState");
  if (const json& state = at(result, "requestState"); !state.is_null())
    params["requestState"] = state;
  return true;
}

void McpClient::stop() {
  if (connection_) connection_->stop(kStopGrace);
  connection_.reset();
  is_ready_ = false;
}

}  // namespace bodkin
