#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "agent/models/http/http.h"
#include "agent/models/http/sse.h"
#include "agent/support/guarded.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/url.h"
#include "agent/support/utf8.h"
#include "agent/support/wire_json.h"
#include "agent/tools/mcp_connection.h"

namespace bodkin {

namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr size_t kMaxMessage = size_t{16} << 20;  // bytes
constexpr size_t kMaxSaid = 1000;                 // bytes of a server's sentence
constexpr size_t kMaxSessionId = 1000;
constexpr int kMaxAnswers = 50;              // to what a server asks during one request
constexpr milliseconds kAnswerLimit{2'000};  // each
constexpr milliseconds kFarewellLimit{300};
constexpr milliseconds kRestOfStream{100};  // once the answer has come

bool has_type(const HttpHead& head, std::string_view type) {
  const auto found = head.headers.find("content-type");
  return found != head.headers.end() && found->second.starts_with(type);
}

// Each message is a POST; its answer is one message, or a stream of them that ends with the answer.
// There is no other stream, so messages that a server sends meanwhile are not seen.
class McpHttp : public McpConnection {
 public:
  McpHttp(const McpServer& server, std::vector<std::string> headers, std::string name)
      : url_(server.url),
        headers_(std::move(headers)),
        name_(std::move(name)),
        rpc_([this](const json& message) { unsent_.push_back(message); }, rpc::kMcp, name_) {
    rpc_.ignored = [](const std::string&) {};
  }

  rpc::Connection& handlers() override { return rpc_; }
  void set_version(const std::string& version, bool is_modern) override {
    version_ = version;
    is_modern_ = is_modern;
  }

  Result<json> request(const char* method, json params, const std::stop_token& stop,
                       Milliseconds timeout) override;
  const json& last_error() const override { return last_error_; }
  void prolong(Milliseconds time) override { is_prolonged_ = is_prolonged_ || time > 0ms; }
  Result<void> notify(const char* method, json params, const std::stop_token& stop,
                      Milliseconds timeout) override;
  bool poll(const std::stop_token&) override { return !is_over_; }
  void stop(Milliseconds /*grace*/) override;

 private:
  class Body;

  HttpRequest post_of(const json& message, Milliseconds timeout) const;
  void answer_all(const std::stop_token& stop);
  Error error_of_http(const HttpFailure& failure, const char* method, Milliseconds timeout) const;
  Error error_of_status(int status) const;
  bool take_session(const HttpHead& head);
  void send_final(HttpRequest request);

  const std::string url_;
  const std::vector<std::string> headers_;
  const std::string name_;
  std::deque<json> unsent_;
  rpc::Connection rpc_;
  HttpClient client_, answers_;  // what a server asks is answered while its stream is open
  std::string version_, session_;
  bool is_modern_ = false, is_prolonged_ = false;
  bool is_over_ = false;  // the server has ended the session
  int answered_ = 0;      // in the current request
  json last_error_;
};

// The body of the answer to one POST.
class McpHttp::Body {
 public:
  Body(McpHttp& server, const std::stop_token& stop, std::function<bool()> is_done)
      : server_(server), stop_(stop), is_done_(std::move(is_done)) {}

  SinkResult take(const HttpHead& head, std::string_view bytes) {
    server_.is_prolonged_ = false;
    is_stream_ = has_type(head, "text/event-stream");
    if (!is_stream_) {
      if (whole_.size() + bytes.size() > kMaxMessage) return too_large();
      whole_ += bytes;
      return {.alive = false, .progress = false};
    }
    const bool fits = events_.take(bytes, [&](std::string_view, std::string_view data) {
      if (!is_done_()) receive(data);
    });
    if (!fits) return too_large();
    // Only what prolongs a call counts as progress; else the time limit is of the whole.
    SinkResult result{.alive = server_.is_prolonged_, .progress = server_.is_prolonged_};
    if (is_done_()) result.grace = kRestOfStream;
    return result;
  }

  void finish(const HttpHead& head) {
    if (is_stream_) {
      events_.finish([&](std::string_view, std::string_view data) {
        if (!is_done_()) receive(data);
      });
    } else if (!whole_.empty() && !is_too_large_) {
      error_ = at(parse_wire_json(whole_).value_or(json()), "error");
      if (head.status == 200 || error_.is_object()) receive(whole_);
    }
  }

  bool is_too_large() const { return is_too_large_; }
  // The error object of a body that is one message: it may have no id.
  const json& error() const { return error_; }

 private:
  SinkResult too_large() {
    is_too_large_ = true;
    return {.close = true};
  }
  void receive(std::string_view message) {
    guarded([&] { server_.rpc_.receive(std::string(message)); });
    server_.answer_all(stop_);
  }

  McpHttp& server_;
  const std::stop_token& stop_;
  const std::function<bool()> is_done_;
  SseReader events_{kMaxMessage};
  std::string whole_;
  json error_;
  bool is_stream_ = false, is_too_large_ = false;
};

HttpRequest McpHttp::post_of(const json& message, Milliseconds timeout) const {
  HttpRequest request{.url = url_, .headers = headers_};
  request.headers.emplace_back("Content-Type: application/json");
  request.headers.emplace_back("Accept: application/json, text/event-stream");
  if (!version_.empty()) request.headers.push_back("MCP-Protocol-Version: " + version_);
  if (!session_.empty()) request.headers.push_back("Mcp-Session-Id: " + session_);
  if (const std::string method = string_at(message, "method"); is_modern_ && !method.empty()) {
    request.headers.push_back("Mcp-Method: " + method);
    // A tool's name has no characters that a header may not have; see McpToolList.
    if (method == "tools/call")
      request.headers.push_back("Mcp-Name: " + string_at(at(message, "params"), "name"));
  }
  request.body = text_of_json(message);
  request.connect = std::min<milliseconds>(request.connect, timeout);
  request.first_byte = request.idle = request.progress = timeout;
  return request;
}

// A server that asks without end, or does not take the answers, gets no more of them.
void McpHttp::answer_all(const std::stop_token& stop) {
  while (!unsent_.empty()) {
    const json message = std::move(unsent_.front());
    unsent_.pop_front();
    if (answered_ >= kMaxAnswers) continue;
    ++answered_;
    const auto sent = answers_.send(
        post_of(message, kAnswerLimit),
        [](const HttpHead&, std::string_view) {
          return SinkResult{.alive = false, .progress = false};
        },
        stop);
    if (!sent) answered_ = kMaxAnswers;
  }
}

Error McpHttp::error_of_http(const HttpFailure& failure, const char* method,
                             Milliseconds timeout) const {
  if (failure.error.kind == "cancelled") return {Error::Code::cancelled, "Cancelled."};
  if (failure.error.kind == "timeout")
    return {Error::Code::unavailable,
            fmt::format("{} did not answer {} within {:.3g} s.", name_, method,
                        static_cast<double>(timeout.count()) / 1000)};
  return {Error::Code::unavailable,
          fmt::format("{} cannot be used: {}", name_, plain_line(failure.error.message))};
}

Error McpHttp::error_of_status(int status) const {
  const std::string origin = origin_of(url_);
  if (is_over_) return {Error::Code::unavailable, name_ + " has ended the session."};
  if (status == 401 || status == 403)
    return {Error::Code::unavailable,
            fmt::format("{} refused the request (HTTP status {}): check the \"headers\" in its "
                        "settings.",
                        name_, status)};
  if (status >= 400)
    return {
        Error::Code::unavailable,
        fmt::format("{} cannot be used: {} answered with HTTP status {}.", name_, origin, status)};
  return {Error::Code::unavailable, name_ + " ended its answer without a result."};
}

Result<json> McpHttp::request(const char* method, json params, const std::stop_token& stop,
                              Milliseconds timeout) {
  last_error_ = nullptr;
  answered_ = 0;
  std::optional<Result<json>> answer;
  const int64_t id = rpc_.request(method, std::move(params), [&](Result<json> given) {
    answer = std::move(given);
    last_error_ = rpc_.last_error();
  });
  const json message = std::move(unsent_.back());
  unsent_.clear();
  Body body(*this, stop, [&] { return answer.has_value(); });
  const auto head = client_.send(
      post_of(message, timeout),
      [&](const HttpHead& so_far, std::string_view bytes) { return body.take(so_far, bytes); },
      stop);
  if (head) body.finish(*head);
  // Servers that were started again say 400, too.
  if (head && (head->status == 404 || head->status == 400) && !session_.empty()) {
    is_over_ = true;
    session_.clear();
    answer.reset();
    last_error_ = nullptr;
  }
  if (head && !answer && !is_over_ && body.error().is_object()) {
    last_error_ = body.error();
    answer = fail(Error::Code::unavailable, string_at(last_error_, "message"));
  }
  if (answer) {
    if (!*answer) {
      const std::string said = plain_line(valid_utf8(answer->error().message.substr(0, kMaxSaid)));
      return fail(answer->error().code, said);
    }
    if (head && std::string_view(method) == "initialize" && !take_session(*head))
      return fail(Error::Code::unavailable, name_ + " sent an invalid session id.");
    return std::move(*answer);
  }
  rpc_.cancel_request(id);
  // From 2026-07-28 on, closing the stream says so.
  if (!is_modern_ && !head && std::string_view(method) != "initialize") {
    for (const json& told : std::exchange(unsent_, {})) send_final(post_of(told, kFarewellLimit));
  }
  unsent_.clear();
  if (!head) return std::unexpected(error_of_http(head.error(), method, timeout));
  if (body.is_too_large())
    return fail(Error::Code::unavailable,
                fmt::format("{} sent more than {} MB at once.", name_, kMaxMessage >> 20));
  return std::unexpected(error_of_status(head->status));
}

// False: it is not one that may be sent back.
bool McpHttp::take_session(const HttpHead& head) {
  const auto found = head.headers.find("mcp-session-id");
  if (found == head.headers.end()) return true;
  const bool is_valid =
      found->second.size() <= kMaxSessionId &&
      std::ranges::all_of(found->second, [](char c) { return c > ' ' && c < 127; });
  if (is_valid) session_ = found->second;
  return is_valid;
}

Result<void> McpHttp::notify(const char* method, json params, const std::stop_token& stop,
                             Milliseconds timeout) {
  rpc_.notify(method, std::move(params));
  const json message = std::move(unsent_.back());
  unsent_.clear();
  const auto head = client_.send(
      post_of(message, timeout),
      [](const HttpHead&, std::string_view) {
        return SinkResult{.alive = false, .progress = false};
      },
      stop);
  if (!head) return std::unexpected(error_of_http(head.error(), method, timeout));
  if (head->status >= 400) return std::unexpected(error_of_status(head->status));
  return {};
}

// Nobody waits for what comes of it.
void McpHttp::send_final(HttpRequest request) {
  request.connect = std::min(request.connect, kFarewellLimit);
  (void)answers_.send(
      request, [](const HttpHead&, std::string_view) { return SinkResult{.close = true}; }, {});
}

void McpHttp::stop(Milliseconds /*grace*/) {
  if (session_.empty()) return;
  HttpRequest request = post_of(json::object(), kFarewellLimit);
  request.method = "DELETE";
  request.body.reset();
  session_.clear();
  send_final(std::move(request));
}

}  // namespace

std::unique_ptr<McpConnection> connect_by_http(const McpServer& server,
                                               std::vector<std::string> headers, std::string name) {
  return std::make_unique<McpHttp>(server, std::move(headers), std::move(name));
}

}  // namespace bodkin
