#include "agent/http_model.h"

#include <curl/curl.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <random>

#include "agent/sse.h"
#include "agent/utf8.h"

namespace bodkin {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr size_t kMaxWhole = 16 << 20;  // bytes of an answer that is not streamed

// Reads one answer: a stream, or one JSON body, or something that is neither.
class Answer {
 public:
  Answer(const Dialect& dialect, bool stream, const Task& task)
      : dialect_(dialect), stream_(stream), reply(task) {}

  HttpWish take(const HttpHead& head, std::string_view bytes) {
    if (!decided_) decide(head);
    const size_t before = events_;
    if (!streaming_) {
      if (body.size() + bytes.size() > kMaxWhole) {
        reply.fail({"protocol", "The answer is larger than 16 MB."});
        return {.close = true};
      }
      body += bytes;
      return {};
    }
    const bool fits =
        dialect_.ndjson
            ? lines_.take(bytes, [&](std::string_view line) { event("", line); })
            : sse_.take(bytes, [&](std::string_view e, std::string_view data) { event(e, data); });
    if (!fits) reply.fail({"protocol", "An event of the stream is larger than 8 MB."});
    HttpWish wish;
    const size_t lines = dialect_.ndjson ? events_ : sse_.lines_read();
    wish.alive = lines != lines_read_;
    lines_read_ = lines;
    wish.progress = events_ != before;
    wish.close = reply.error.has_value();
    // All is there: the end of the body is only waited for to keep the connection. After a stop
    // reason some servers still send the usage.
    if (reply.ended)
      wish.grace = milliseconds(250);
    else if (reply.stop)
      wish.grace = milliseconds(5000);
    return wish;
  }

  void finish(const HttpHead& head) {
    if (!decided_) decide(head);
    if (!streaming_) return whole(head);
    if (dialect_.ndjson) {
      lines_.finish([&](std::string_view line) { last_ = true, event("", line); });
    } else {
      last_ = true;
      sse_.finish([&](std::string_view e, std::string_view data) { event(e, data); });
    }
    if (!reply.ended && !reply.stop && !sse_.stray().empty())
      if (const auto parsed = parse_wire_json(sse_.stray()))
        if (auto error = error_in(*parsed, head.status)) reply.fail(*error);
  }

 private:
  void decide(const HttpHead& head) {
    decided_ = true;
    status_ = head.status;
    const auto type = head.headers.find("content-type");
    const std::string named = type == head.headers.end() ? "" : type->second;
    html_ = named.starts_with("text/html");
    streaming_ = head.status == 200 && !html_ && stream_ &&
                 (dialect_.ndjson || !named.starts_with("application/json"));
  }

  void event(std::string_view name, std::string_view data) {
    if (reply.ended || reply.error) return;
    const size_t begin = data.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return;
    data.remove_prefix(begin);
    if (data.starts_with("[DONE]")) {
      reply.ended = reply.stop.has_value();
      ++events_;
      return;
    }
    const std::optional<json> parsed = parse_wire_json(data);
    if (!parsed) {
      // Cut in the middle of the last line; else words that are no JSON (a heartbeat) are skipped.
      if (!last_ && (data[0] == '{' || data[0] == '['))
        reply.fail({"protocol", "The stream contains an event that is not JSON.", status_});
      return;
    }
    const bool ping = name == "ping" || string_at(*parsed, "type") == "ping" ||
                      string_at(*parsed, "type") == "keepalive";
    if (!ping) ++events_;
    if (name == "error" || !at(*parsed, "error").is_null())
      if (auto error = error_in(*parsed, status_); error && string_at(*parsed, "type").empty())
        return reply.fail(*error);
    dialect_.read(reply, name, *parsed);
  }

  void whole(const HttpHead& head) {
    if (html_) {
      reply.fail({head.status >= 400 ? kind_of_error("", "", head.status) : "protocol",
                  "The answer is a web page (HTTP status " + std::to_string(head.status) +
                      "), not a model's: check the endpoint.",
                  head.status});
      return;
    }
    const std::optional<json> parsed = parse_wire_json(body);
    if (head.status >= 400 || (parsed && !at(*parsed, "error").is_null())) {
      auto error = parsed ? error_in(*parsed, head.status) : std::nullopt;
      if (!error)
        error = ModelError{kind_of_error("", body.substr(0, 500), head.status),
                           body.empty() ? "HTTP status " + std::to_string(head.status) + "."
                                        : valid_utf8(body.substr(0, 500)),
                           head.status};
      return reply.fail(*error);
    }
    if (!parsed)
      return reply.fail(
          body.empty() && stream_
              ? ModelError{"truncated", "The answer is empty.", head.status}
              : ModelError{"protocol", "The answer is not JSON: check the endpoint.", head.status});
    dialect_.read_whole(reply, *parsed);
    reply.ended = reply.stop.has_value();
    if (!reply.stop)
      reply.fail(
          {"protocol", "The answer is not a model's reply: check the endpoint.", head.status});
  }

  const Dialect& dialect_;
  bool stream_;
  bool decided_ = false, streaming_ = false, html_ = false, last_ = false;
  int status_ = 0;
  size_t events_ = 0, lines_read_ = 0;
  SseReader sse_;
  LineCutter lines_{SseReader::kMaxEvent};

 public:
  ReplyBuilder reply;
  std::string body;
};

bool wait(milliseconds time, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

class HttpModel : public Model {
 public:
  explicit HttpModel(HttpModelOptions options)
      : options_(std::move(options)), random_(std::random_device{}()) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    HttpRequest http;
    http.url = options_.dialect->url(options_.wire, request);
    http.headers = options_.dialect->headers(options_.wire);
    http.headers.push_back("Content-Type: application/json");
    http.headers.push_back("Expect:");
    http.headers.push_back("User-Agent: bodkin");
    http.body = dump(options_.dialect->body(options_.wire, request));
    http.first_byte = options_.first_byte;
    http.idle = options_.idle;
    http.progress = options_.progress;
    for (int attempt = 0;; ++attempt) {
      Answer answer(*options_.dialect, request.stream, task);
      auto head = client_.send(
          http, [&](const HttpHead& h, std::string_view bytes) { return answer.take(h, bytes); },
          task.stop);
      const bool before_stream = head ? head->status != 200 : !head.error().had_bytes;
      const HttpHead& got = head ? *head : head.error().head;
      if (head && !answer.reply.error) answer.finish(*head);
      ModelReply reply = answer.reply.take_reply();
      std::optional<ModelError> error = answer.reply.error;
      if (!error && !head) error = head.error().error;
      if (!error && !answer.reply.stop)
        error = ModelError{
            "truncated", "The reply was cut: the stream ended without its last event.", got.status};
      if (!error) return reply;
      if (error->status == 0) error->status = got.status;
      if (task.stop.stop_requested()) error = ModelError{"cancelled", "Cancelled."};
      const auto delay =
          before_stream && attempt < options_.retries && error->kind != "cancelled"
              ? retry_delay(*error, got, answer.body, attempt,
                            std::uniform_real_distribution<>(0, 1)(random_), std::time(nullptr))
              : std::nullopt;
      if (!delay) return std::unexpected(without_key(*error));
      if (task.report)
        task.report(
            {Progress::Kind::status, "The provider is not ready (" + without_key(*error).message +
                                         "); trying again in " +
                                         std::to_string((delay->count() + 999) / 1000) + " s"});
      if (!wait(*delay, task.stop)) return std::unexpected(ModelError{"cancelled", "Cancelled."});
    }
  }

  std::string description() const override { return options_.description; }
  bool has_tools() const override { return options_.has_tools; }

 private:
  // Providers repeat the key in their errors.
  ModelError without_key(ModelError error) const {
    const std::string& key = options_.wire.key;
    if (key.size() >= 4)
      for (size_t at; (at = error.message.find(key)) != std::string::npos;)
        error.message.replace(at, key.size(), "[key]");
    if (error.message.size() > 2000) {
      error.message.resize(2000);
      error.message = valid_utf8(error.message) + " …";
    }
    return error;
  }

  HttpModelOptions options_;
  HttpClient client_;
  std::mt19937 random_;
};

// "retry in 1.5s", "try again in 250ms": the milliseconds that the words name.
std::optional<double> milliseconds_in_words(std::string_view text) {
  for (const std::string_view words :
       {"again in ", "retry in ", "\"retryDelay\":\"", "\"retryDelay\": \""}) {
    const size_t found = text.find(words);
    if (found == std::string_view::npos) continue;
    const std::string rest(text.substr(found + words.size(), 30));
    char* end = nullptr;
    const double value = std::strtod(rest.c_str(), &end);
    if (end == rest.c_str() || !(value >= 0)) continue;
    while (*end == ' ') ++end;
    if (end[0] == 'm' && end[1] == 's') return value;
    if (end[0] == 's') return value * 1000;
  }
  return std::nullopt;
}

}  // namespace

std::optional<milliseconds> retry_delay(const ModelError& error, const HttpHead& head,
                                        std::string_view body, int attempt, double jitter,
                                        int64_t now) {
  const auto header = [&](const char* name) -> std::string {
    const auto found = head.headers.find(name);
    return found == head.headers.end() ? "" : found->second;
  };
  if (head.status == 0) {
    // No answer began: only what may pass by itself.
    if (error.kind != "network" || error.message.find("certificate") != std::string::npos)
      return std::nullopt;
  } else {
    const std::string should = header("x-should-retry");
    if (should == "false") return std::nullopt;
    const int s = head.status;
    if (should != "true" && s != 408 && s != 409 && s != 429 && s < 500) return std::nullopt;
    if (error.kind == "quota" || error.kind == "context_length") return std::nullopt;
  }
  std::optional<double> wanted;
  if (const std::string value = header("retry-after-ms"); !value.empty()) {
    wanted = std::atof(value.c_str());
  } else if (const std::string after = header("retry-after"); !after.empty()) {
    char* end = nullptr;
    const double seconds = std::strtod(after.c_str(), &end);
    if (end != after.c_str())
      wanted = seconds * 1000;
    else if (const time_t date = curl_getdate(after.c_str(), nullptr); date > 0)
      wanted = std::max<double>(0, static_cast<double>(date - now)) * 1000;
  } else {
    wanted = milliseconds_in_words(body);
  }
  if (wanted && *wanted > 60'000) return std::nullopt;  // longer than a person waits: say it
  if (wanted && *wanted >= 0) return milliseconds(static_cast<int64_t>(std::ceil(*wanted)));
  return milliseconds(
      static_cast<int64_t>(std::min(500.0 * std::pow(2, attempt), 8000.0) * (1 - jitter * 0.25)));
}

std::unique_ptr<Model> make_http_model(HttpModelOptions options) {
  return std::make_unique<HttpModel>(std::move(options));
}

std::string join_url(const std::string& base, std::string_view version, std::string_view path) {
  const bool has_version = base.ends_with("/" + std::string(version));
  return base + (has_version || version.empty() ? "" : "/" + std::string(version)) +
         std::string(path);
}

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace bodkin
