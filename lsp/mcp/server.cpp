// More than 350 lines: one class for the way of a call from its line to its answer, where batches,
// roots and cancels may meet it at every step.
#include "lsp/mcp/server.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/wire_json.h"
#include "lsp/mcp/root_choice.h"

namespace bodkin::mcp {

using nlohmann::json;
using rpc::ErrorCode;

namespace {

constexpr size_t kMaxWaiting = 100;  // calls
constexpr int kMaxAskedAgain = 3;
constexpr std::chrono::seconds kRootsLimit{5};  // for the answer to roots/list
constexpr std::chrono::seconds kTick{5};        // between two signs of life of a call
// How long calls that run may still take when the input has ended.
constexpr std::chrono::milliseconds kLastCalls{500};

void refuse(rpc::Reply& reply, const Refusal& refusal) {
  reply.error(refusal.code, refusal.message, refusal.data);
}

json content_of(ToolText text) {
  json result = {{"content", json::array({{{"type", "text"}, {"text", std::move(text.text)}}})}};
  if (text.is_error) result["isError"] = true;
  return result;
}

// A form with nothing to fill in is agreed to by some clients on their own.
json form_of(const std::string& words) {
  return {{"message", words},
          {"requestedSchema",
           {{"type", "object"},
            {"properties",
             {{"apply", {{"type", "boolean"}, {"title", "Make this change"}, {"default", false}}}}},
            {"required", json::array({"apply"})}}}};
}

ToolText not_allowed() {
  return failed("the user did not allow this change; nothing was changed\n");
}

bool agrees(const json& answer) {
  const json& content = at(answer, "content");
  return string_at(answer, "action") == "accept" && at(content, "apply") == json(true);
}

constexpr const char* kForm = "user";  // of inputRequests

// Codex says what its sandbox allows, as an object or as JSON in a string.
bool says_read_only(const json& params) {
  json turn = at(at(params, "_meta"), "x-codex-turn-metadata");
  if (turn.is_string()) turn = parse_json(turn.get<std::string>()).value_or(json());
  return string_at(turn, "sandbox_mode") == "read-only";
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

Result<std::string> Server::own_folder() {
  if (!own_) own_ = own_root(root_);
  return own_;
}

void Server::send(json message) {
  if (!writer_) return;
  const std::string id = message.contains("id") ? message["id"].dump() : "";
  // MCP's schema has no null id: an error without a request has none.
  if (message.contains("error") && message["id"].is_null()) message.erase("id");
  if (!message.contains("method")) {
    for (Batch& batch : batches_) {
      const auto open = std::ranges::find(batch.open, id);
      if (open == batch.open.end() && !(filling_ == &batch && !message.contains("id"))) continue;
      if (open != batch.open.end()) batch.open.erase(open);
      batch.answers.push_back(std::move(message));
      return filling_ ? void() : end_batches();
    }
  }
  writer_->send(text_of_json(message));
}

// Version 2025-03-26 only: each version before and after it has done without.
bool Server::receive_batch(const std::string& body) {
  if (!takes_batches_ || body.find_first_not_of(" \t") != body.find('[')) return false;
  const auto messages = parse_json(body);
  if (!messages || !messages->is_array() || messages->empty()) return false;
  Batch& batch = batches_.emplace_back();
  filling_ = &batch;
  for (const json& message : *messages) {
    const bool is_request =
        message.is_object() && message.contains("method") && message.contains("id");
    if (is_request && string_at(message, "method") == "initialize") {
      batch.answers.push_back({{"jsonrpc", "2.0"},
                               {"id", message["id"]},
                               {"error",
                                {{"code", static_cast<int>(ErrorCode::invalid_request)},
                                 {"message", "initialize must not be part of a batch."}}}});
      continue;
    }
    if (is_request) batch.open.push_back(message["id"].dump());
    const std::string text = text_of_json(message);
    connection_.receive(text);
    forget_cancelled(text);
  }
  filling_ = nullptr;
  end_batches();
  return true;
}

void Server::end_batches() {
  for (auto batch = batches_.begin(); batch != batches_.end();) {
    if (!batch->open.empty()) {
      ++batch;
      continue;
    }
    if (!batch->answers.empty()) writer_->send(text_of_json(batch->answers));
    batch = batches_.erase(batch);
  }
}

// A cancelled call gets no answer, and its batch must not wait for one.
void Server::forget_cancelled(const std::string& body) {
  if (batches_.empty() || !body.contains("notifications/cancelled")) return;
  const auto message = parse_json(body);
  if (!message || string_at(*message, "method") != "notifications/cancelled") return;
  const std::string id = at(at(*message, "params"), "requestId").dump();
  for (Batch& batch : batches_) std::erase(batch.open, id);
  if (!filling_) end_batches();
}

void Server::end(int code) { loop_.stop(code); }

void Server::shut_down() {
  reader_.reset();
  work_.stop();
  without_root_.clear();
  readers_.clear();
  writers_.clear();
  batches_.clear();
  writer_.reset();
}

void Server::exit_between_changes(int code) {
  shared_.changing.lock();
  ::_exit(code);
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
    if (frame.problem.empty()) {
      if (!receive_batch(frame.body)) connection_.receive(frame.body);
      return forget_cancelled(frame.body);
    }
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
    takes_batches_ = string_at(*result, "protocolVersion") == "2025-03-26";
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

void Server::call_tool(Params params, const Caller& caller, rpc::Reply reply) {
  const json& name = at(params, "name");
  if (!name.is_string())
    return reply.error(ErrorCode::invalid_params, "The name of the tool must be a string.");
  const ServedTool* tool = nullptr;
  for (const ServedTool& one : served_tools())
    if (one.name == name.get<std::string>()) tool = &one;
  if (!tool) {
    return reply.error(ErrorCode::invalid_params,
                       "Unknown tool: " + name.get<std::string>().substr(0, 200));
  }
  const json& given = at(params, "arguments");
  if (!given.is_null() && !given.is_object())
    return reply.error(ErrorCode::invalid_params, "The arguments must be an object.");
  const auto is_full = [this] {
    return readers_.size() + writers_.size() + without_root_.size() + asking_ >= kMaxWaiting;
  };
  if (is_full()) forget_cancelled_calls();
  if (is_full())
    return reply.error(ErrorCode::request_failed,
                       "Too many pending calls; wait for their results.");
  json token = at(at(params, "_meta"), "progressToken");
  if (!token.is_string() && !token.is_number_integer()) token = nullptr;
  const std::stop_token stop = reply.stop();
  auto call = std::make_shared<Call>(Call{.tool = tool,
                                          .arguments = given.is_null() ? json::object() : given,
                                          .is_read_only = says_read_only(params),
                                          .caller = caller,
                                          .progress_token = std::move(token),
                                          .stop = stop,
                                          .reply = std::move(reply),
                                          .root = "",
                                          .word = {caller.can_ask_user(), ""},
                                          .when_cancelled = {}});
  if (const json& said = at(at(params, "inputResponses"), kForm); !said.is_null()) {
    if (!agrees(said)) return answer(call, not_allowed());
    call->word.given_for = string_at(params, "requestState");
  }
  find_root(params, call);
}

void Server::find_root(Params params, const CallPtr& call) {
  if (!root_.empty() || !call->caller.has_roots()) return start(call, own_folder());
  if (!call->caller.is_modern) return ask_for_roots(call);
  const json& answers = at(params, "inputResponses");
  if (answers.is_object()) {
    const auto root = root_of_answer(at(answers, "roots"));
    return start(call, root ? *root : own_folder());
  }
  call->reply.result(
      result_for(call->caller, {{"resultType", "input_required"},
                                {"inputRequests", {{"roots", {{"method", "roots/list"}}}}}}));
}

void Server::ask_for_roots(const CallPtr& call) {
  if (client_root_) return start(call, *client_root_);
  without_root_.push_back(call);
  if (without_root_.size() == 1) send_roots_request();
}

void Server::send_roots_request() {
  roots_request_ = connection_.request("roots/list", nullptr, [this](const Result<json>& answer) {
    take_roots(answer ? root_of_answer(*answer) : std::nullopt);
  });
  loop_.post_after(kRootsLimit, [this, id = roots_request_] {
    if (id != roots_request_) return;
    connection_.cancel_request(id);
    take_roots(std::nullopt);
  });
}

void Server::take_roots(std::optional<Result<std::string>> root) {
  roots_request_ = 0;
  // The answer may be from before the change: it is asked for again, but not for ever.
  if (std::exchange(roots_changed_, false) && roots_asked_again_ < kMaxAskedAgain) {
    ++roots_asked_again_;
    return send_roots_request();
  }
  roots_asked_again_ = 0;
  client_root_ = root ? *std::move(root) : own_folder();
  for (const CallPtr& call : std::exchange(without_root_, {})) start(call, *client_root_);
}

void Server::start(const CallPtr& call, const Result<std::string>& root) {
  if (call->stop.stop_requested()) return;
  if (!root) return answer(call, failed(root.error().message + "\n"));
  call->root = *root;
  if (!call->progress_token.is_null()) tick(call);
  queue(call);
}

void Server::queue(const CallPtr& call) {
  const bool writes = call->tool->writes && !call->is_read_only;
  (writes ? writers_ : readers_).push_back(call);
  run_next();
}

void Server::run(const CallPtr& call) {
  const bool writes = call->tool->writes && !call->is_read_only;
  work_.start([this, call, writes](const Task& task) {
    std::stop_source stop;
    const std::stop_callback at_end(task.stop, [&] { stop.request_stop(); });
    const std::stop_callback when_cancelled(call->stop, [&] { stop.request_stop(); });
    const Task whole{
        stop.get_token(), [this, &call](const Progress& progress) {
          if (progress.text.empty()) return;
          loop_.post([this, call, words = progress.text] { tell_progress(call, words); });
        }};
    ToolText result = mcp::call_tool(*call->tool, call->root, call->arguments, call->is_read_only,
                                     shared_, call->word, whole);
    loop_.post_reliably([this, call, writes, result = std::move(result)] {
      --running_;
      if (writes) writer_runs_ = false;
      if (result.question)
        ask_user(call, *result.question);
      else
        answer(call, result);
      run_next();
      if (ended_ && running_ == 0) loop_.stop(0);
    });
  });
  ++running_;
  if (writes) writer_runs_ = true;
}

void Server::run_next() {
  forget_cancelled_calls();
  const auto take = [](std::deque<CallPtr>& from) {
    CallPtr call = std::move(from.front());
    from.pop_front();
    return call;
  };
  if (!writer_runs_ && !writers_.empty()) run(take(writers_));
  while (running_ - (writer_runs_ ? 1 : 0) < kMaxAtOnce && !readers_.empty()) run(take(readers_));
}

void Server::forget_cancelled_calls() {
  for (std::deque<CallPtr>* calls : {&readers_, &writers_})
    std::erase_if(*calls, [](const CallPtr& each) { return each->stop.stop_requested(); });
}

void Server::ask_user(const CallPtr& call, const ToolText::Question& question) {
  if (call->stop.stop_requested()) return;
  json form = form_of(question.words);
  if (call->caller.is_modern) {
    json requests = {{kForm, {{"method", "elicitation/create"}, {"params", std::move(form)}}}};
    if (root_.empty() && call->caller.has_roots()) requests["roots"] = {{"method", "roots/list"}};
    call->reply.result(result_for(call->caller, {{"resultType", "input_required"},
                                                 {"inputRequests", std::move(requests)},
                                                 {"requestState", question.change}}));
    return;
  }
  ++asking_;
  const int64_t id = connection_.request(
      "elicitation/create", std::move(form),
      [this, call, change = question.change](const Result<json>& said) {
        --asking_;
        call->when_cancelled.reset();
        if (call->stop.stop_requested()) return;
        if (said && !agrees(*said)) return answer(call, not_allowed());
        call->word = said ? Word{true, change} : Word{};  // it cannot ask after all
        queue(call);
      });
  call->when_cancelled = std::make_unique<std::stop_callback<std::function<void()>>>(
      call->stop, [this, id, weak = std::weak_ptr(call)] {
        loop_.post([this, id, weak] {
          const CallPtr call = weak.lock();
          if (!call || !call->when_cancelled) return;  // answered
          --asking_;
          connection_.cancel_request(id);
        });
      });
}

// On the loop, as the answer: nothing follows that, or the client's cancellation.
void Server::tell_progress(const CallPtr& call, const std::string& words) {
  if (call->progress_token.is_null() || call->stop.stop_requested()) return;
  connection_.notify("notifications/progress", {{"progressToken", call->progress_token},
                                                {"progress", ++call->progress},
                                                {"message", words}});
}

// Clients give a call up that is silent for a minute.
void Server::tick(const std::weak_ptr<Call>& call) {
  loop_.post_after(kTick, [this, call] {
    const CallPtr alive = call.lock();
    if (!alive) return;
    tell_progress(alive, "Still at work");
    tick(call);
  });
}

void Server::answer(const CallPtr& call, ToolText result) {
  call->progress_token = nullptr;
  call->reply.result(result_for(call->caller, content_of(std::move(result))));
}

}  // namespace bodkin::mcp
