#include "agent/rpc/connection.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>

#include "agent/rpc/lsp_structs.h"
#include "agent/support/guarded.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"
#include "agent/support/wire_json.h"

namespace bodkin::rpc {

ErrorCode code_of(const Error& error) {
  switch (error.code) {
    case Error::Code::cancelled:
      return ErrorCode::request_cancelled;
    case Error::Code::stale:
      return ErrorCode::content_modified;
    case Error::Code::invalid_input:
      return ErrorCode::invalid_params;
    case Error::Code::not_found:
    case Error::Code::ambiguous:
    case Error::Code::unavailable:
      return ErrorCode::request_failed;
    case Error::Code::internal:
      return ErrorCode::internal_error;
  }
  return ErrorCode::internal_error;
}

namespace {

constexpr size_t kMaxAsked = 10'000;
constexpr size_t kFewPending = 64;

// The id of a request that cannot be parsed, by its top-level "id" and "method"; null: it has none.
Json id_in_broken_request(std::string_view body) {
  size_t depth = 0;
  bool has_method = false;
  Json id;
  std::string_view key, last;  // strings of the top level: a member's name, and the last one
  for (size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (c == '"') {
      const size_t begin = ++i;
      while (i < body.size() && body[i] != '"') i += body[i] == '\\' ? 2 : 1;
      if (i >= body.size()) break;
      last = body.substr(begin, i - begin);
      if (depth == 1 && key == "id")
        id = parse_json(body.substr(begin - 1, i - begin + 2)).value_or(Json());
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (depth != 1) continue;
    if (c == ':') key = last;
    if (c == ':' && key == "method") has_method = true;
    if (c == ',') key = {};
    if (key == "id" && (c == '-' || (c >= '0' && c <= '9'))) {
      const size_t end = std::min(body.find_first_not_of("-0123456789", i), body.size());
      if (const auto number = parse_json(body.substr(i, end - i));
          number && number->is_number_integer() && id.is_null())
        id = *number;
      i = end - 1;
    }
  }
  return has_method ? id : Json();
}

}  // namespace

struct Reply::State {
  Json id;
  Send send;
  std::stop_source stop;
  std::mutex mutex;
  bool answered = false;

  void answer(const char* key, Json value) {
    {
      std::lock_guard lock(mutex);
      if (std::exchange(answered, true)) return;
    }
    send(Json{{"jsonrpc", "2.0"}, {"id", id}, {key, std::move(value)}});
  }

  bool is_answered() {
    std::lock_guard lock(mutex);
    return answered;
  }

  void drop() {
    std::lock_guard lock(mutex);
    answered = true;
  }
};

Reply::Reply(Json id, Send send) : state_(std::make_shared<State>()) {
  state_->id = std::move(id);
  state_->send = std::move(send);
}

Reply::~Reply() {
  if (!state_) return;
  const bool failed = std::uncaught_exceptions() > 0;
  guarded([&] {
    error(ErrorCode::internal_error, failed ? "Internal error in bodkin; see its log."
                                            : "The server exited before it could answer.");
  });
}

void Reply::result(Json value) { state_->answer("result", std::move(value)); }

void Reply::error(ErrorCode code, const std::string& message, Json data) {
  Json error{{"code", static_cast<int>(code)}, {"message", plain(message)}};
  if (!data.is_null()) error["data"] = std::move(data);
  state_->answer("error", std::move(error));
}

void Reply::error(const Error& error) {
  Json data;
  if (!error.setting.empty()) data = {{"setting", "bodkin." + error.setting}};
  this->error(code_of(error), error.message, std::move(data));
}

std::stop_token Reply::stop() const { return state_->stop.get_token(); }

Connection::Connection(Send send, const Protocol& protocol, std::string peer)
    : send_(std::move(send)), protocol_(protocol), peer_(std::move(peer)) {}

void Connection::on_request(std::string method, OnRequest run) {
  requests_[std::move(method)] = std::move(run);
}

void Connection::on_notification(std::string method, OnNotification run) {
  notifications_[std::move(method)] = std::move(run);
}

void Connection::notify(const char* method, Json params) {
  Json message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send_(message);
}

int64_t Connection::request(const char* method, Json params,
                            std::function<void(Result<Json>)> answered) {
  if (asked_.size() >= kMaxAsked) {
    const auto given_up = std::move(asked_.begin()->second);
    asked_.erase(asked_.begin());
    last_error_ = nullptr;
    given_up(fail(Error::Code::unavailable, peer_ + " has not answered."));
  }
  const int64_t id = next_id_++;
  asked_[id] = std::move(answered);
  Json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  send_(message);
  return id;
}

void Connection::cancel_request(int64_t id) {
  if (asked_.erase(id) > 0) notify(protocol_.cancel, {{protocol_.cancel_id, id}});
}

void Connection::receive(const std::string& body) {
  std::optional<Json> parsed;
  try {
    parsed = parse_json(body);
    if (!parsed && body.find("\\u") != body.npos)
      parsed = parse_json(without_lone_surrogates(body));
  } catch (const std::bad_alloc&) {
    refuse(body, ErrorCode::internal_error, "Not enough memory for a message.");
    throw;
  }
  if (!parsed && damaged) {
    if (const auto repaired = parse_json(valid_utf8(body)); repaired && run_damaged(*repaired))
      return;
  }
  if (!parsed) return refuse(body, ErrorCode::parse_error, "The message is not valid UTF-8 JSON.");
  const Json& message = *parsed;
  if (message.is_array()) {
    return refuse(body, ErrorCode::invalid_request, "Batch messages are not supported.");
  }
  if (!message.is_object()) {
    return refuse(body, ErrorCode::invalid_request, "The message is not a JSON object.");
  }
  dispatch(body, message);
}

// A request is refused instead, so that its sender hears of it.
bool Connection::run_damaged(const Json& message) {
  if (!message.is_object() || message.contains("id")) return false;
  const std::string name = text_member(message, "method");
  const auto found = notifications_.find(name);
  if (found == notifications_.end() || (admit && !admit(name, false))) return false;
  const Json& params = member(message, "params");
  found->second(params);
  damaged(params);
  return true;
}

void Connection::refuse(const std::string& body, ErrorCode code, const char* why) {
  if (ignored) return ignored(body);
  Reply(code == ErrorCode::parse_error ? id_in_broken_request(body) : Json(), send_)
      .error(code, why);
}

void Connection::dispatch(const std::string& body, const Json& message) {
  const auto method = message.find("method");
  const auto id = message.find("id");
  if (method == message.end()) {
    if (message.contains("result") || message.contains("error")) return take_response(message);
    return refuse(body, ErrorCode::invalid_request, "The message has no method.");
  }
  const bool id_is_good = id == message.end() || id->is_string() || id->is_number_integer();
  if (!method->is_string() || !id_is_good) {
    return refuse(body, ErrorCode::invalid_request, "The method or the id has the wrong type.");
  }
  static const Json kNothing = Json::object();
  const auto given = message.find("params");
  const Json& params = given == message.end() || given->is_null() ? kNothing : *given;
  const std::string& name = method->get_ref<const std::string&>();
  if (id != message.end()) return run_request(name, *id, params);

  if (name == protocol_.cancel) return cancel(params);
  if (admit && !admit(name, false)) return;
  if (const auto found = notifications_.find(name); found != notifications_.end()) {
    found->second(params);
  }
}

void Connection::run_request(const std::string& method, const Json& id, const Json& params) {
  // Two answers with one id could not be told apart.
  if (const auto open = pending_.find(id.dump()); open != pending_.end()) {
    const auto state = open->second.lock();
    if (state && !state->is_answered())
      return Reply(Json(), send_)
          .error(ErrorCode::invalid_request, "A request with this id is still open.");
  }
  Reply reply(id, send_);
  if (admit) {
    if (const auto allowed = admit(method, true); !allowed) {
      return reply.error(allowed.error().first, allowed.error().second);
    }
  }
  const auto found = requests_.find(method);
  if (found == requests_.end()) {
    return reply.error(ErrorCode::method_not_found, "Unknown request: " + method.substr(0, 200));
  }
  const std::string key = id.dump();
  const std::weak_ptr<Reply::State> state = reply.state_;
  found->second(params, std::move(reply));
  // Nearly all requests are answered by now; the others can be cancelled.
  if (state.expired()) return;
  if (pending_.size() >= sweep_at_) {
    std::erase_if(pending_, [](const auto& entry) { return entry.second.expired(); });
    sweep_at_ = 2 * pending_.size() + kFewPending;
  }
  pending_[key] = state;
}

void Connection::cancel(const Json& params) {
  const auto id = params.is_object() ? params.find(protocol_.cancel_id) : params.end();
  if (!params.is_object() || id == params.end()) return;
  const auto found = pending_.find(text_of_json(*id));
  if (found == pending_.end()) return;
  if (const auto state = found->second.lock()) {
    state->stop.request_stop();
    if (protocol_.answers_cancelled) {
      state->answer("error", Json{{"code", static_cast<int>(ErrorCode::request_cancelled)},
                                  {"message", "Cancelled."}});
    } else {
      state->drop();
    }
  }
  pending_.erase(found);
}

bool Connection::has_pending() const {
  return std::ranges::any_of(pending_, [](const auto& entry) {
    const auto state = entry.second.lock();
    return state && !state->is_answered();
  });
}

void Connection::take_response(const Json& message) {
  const auto id = message.find("id");
  if (id == message.end() || !id->is_number_integer()) return;
  const auto found = asked_.find(id->get<int64_t>());
  if (found == asked_.end()) return;
  auto answered = std::move(found->second);
  asked_.erase(found);
  const auto error = message.find("error");
  const bool is_refused = error != message.end() && !error->is_null();  // some send both
  last_error_ = is_refused ? *error : Json();
  if (is_refused) {
    std::string why = peer_ + " refused.";
    if (error->is_object() && error->contains("message") && (*error)["message"].is_string()) {
      why = (*error)["message"].get<std::string>();
    }
    return answered(fail(Error::Code::unavailable, why));
  }
  answered(message.value("result", Json()));
}

}  // namespace bodkin::rpc
