// The way of a call from its request to its answer: roots and cancels may meet it at every step.
#include <chrono>
#include <set>

#include "agent/platform/paths.h"
#include "agent/rpc/uri.h"
#include "agent/support/json.h"
#include "agent/support/wire_json.h"
#include "lsp/mcp/server.h"

namespace bodkin::mcp {

using nlohmann::json;
using rpc::ErrorCode;

namespace {

constexpr size_t kMaxWaiting = 100;  // calls
constexpr int kMaxAskedAgain = 3;
constexpr std::chrono::seconds kRootsLimit{5};  // for the answer to roots/list
constexpr std::chrono::seconds kTick{5};        // between two signs of life of a call

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

// The root in the client's answer to roots/list; nullopt: it names no folder. Error, for the model:
// it names several, or one that is not served (servable()) or not on this machine.
std::optional<Result<std::string>> root_of_answer(const json& answer) {
  std::set<std::string> folders;
  bool is_elsewhere = false;
  for (const json& root : at(answer, "roots")) {
    const std::string uri = string_at(root, "uri");
    if (const auto path = rpc::path_of_uri(uri))
      folders.insert(*path);
    else
      is_elsewhere = is_elsewhere || !uri.empty();
  }
  // The folder that bodkin was started in is not the one that the client means.
  if (folders.empty() && is_elsewhere) {
    return fail(Error::Code::invalid_input,
                "The client's folder is not one on this machine, so it is not served; start bodkin "
                "mcp --root DIR for a folder that is.");
  }
  if (folders.empty()) return std::nullopt;
  if (folders.size() > 1 || is_elsewhere) {
    return fail(Error::Code::ambiguous,
                "The client has several folders open, so it is not clear which one is meant; start "
                "bodkin mcp --root DIR for one of them.");
  }
  return servable(*folders.begin());
}

Result<std::string> own_root(const std::string& given) {
  if (!given.empty()) return servable(given);
  if (const char* project = os::getenv("CLAUDE_PROJECT_DIR"); project && *project)
    return servable(project);
  return servable(".");
}

}  // namespace

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

// --root, else CLAUDE_PROJECT_DIR, else the folder that the server was started in.
Result<std::string> Server::own_folder() {
  if (!own_) own_ = own_root(root_);
  return own_;
}

}  // namespace bodkin::mcp
