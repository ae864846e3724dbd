#include "agent/models/http/http_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "agent/models/http/refusals.h"
#include "agent/models/http/retry.h"
#include "agent/models/http/sse.h"
#include "agent/models/keys.h"
#include "agent/models/wire/wire_error.h"
#include "agent/support/json.h"
#include "agent/support/utf8.h"

namespace bodkin {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr int kRetries = 2;
constexpr milliseconds kPatienceWithFaults{30'000};  // with a status such as 500
constexpr size_t kMaxWhole = 16 << 20;               // bytes of an answer that is not streamed

// Reads one response: a stream, a JSON body, or something else.
class Answer {
 public:
  Answer(const WireFormat& format, bool stream, const Task& task)
      : format_(format), stream_(stream), stop_(task.stop), reply(task) {}

  SinkResult take(const HttpHead& head, std::string_view bytes) {
    if (!decided_) decide(head, bytes);
    const size_t before = events_;
    if (!streaming_) {
      if (body.size() + bytes.size() > kMaxWhole) {
        reply.fail({"protocol", "The response is larger than 16 MB."});
        return {.close = true};
      }
      // The body arrives at once when it is ready: only the first byte extends the wait.
      const bool first = body.empty();
      body += bytes;
      return {.alive = first, .progress = first};
    }
    const bool fits =
        format_.ndjson
            ? lines_.take(bytes, [&](std::string_view line) { event("", line); })
            : sse_.take(bytes, [&](std::string_view e, std::string_view data) { event(e, data); });
    if (!fits) reply.fail({"protocol", "An event in the stream is larger than 4 MB."});
    SinkResult result;
    const size_t lines = format_.ndjson ? events_ : sse_.lines_read();
    result.alive = lines != lines_read_;
    lines_read_ = lines;
    result.progress = events_ != before;
    result.close = !reply.should_continue();
    // Everything has arrived: waiting for the end only serves to keep the connection. After a stop
    // reason some servers still send the usage.
    if (reply.ended)
      result.grace = milliseconds(250);
    else if (reply.stop)
      result.grace = milliseconds(5000);
    return result;
  }

  void finish(const HttpHead& head) {
    if (!decided_) decide(head, "");
    if (!streaming_) return whole(head);
    if (format_.ndjson) {
      lines_.finish([&](std::string_view line) { last_ = true, event("", line); });
    } else {
      last_ = true;
      sse_.finish([&](std::string_view e, std::string_view data) { event(e, data); });
    }
    if (!reply.ended && !reply.stop && !sse_.stray().empty()) read_stray(head);
  }

 private:
  // Lines that are not events: a bare error or reply in JSON, or a web page.
  void read_stray(const HttpHead& head) {
    std::string_view stray = sse_.stray();
    const bool is_error = stray.starts_with("error:");  // older llama.cpp: a field of its own
    if (is_error) stray.remove_prefix(6);
    auto parsed = parse_wire_json(stray);
    if (parsed && is_error) parsed = json{{"error", *std::move(parsed)}};
    if (!parsed) {
      if (events_ == 0 && sse_.stray()[0] == '<') reply.fail(web_page(head.status));
      return;
    }
    if (auto error = error_in(*parsed, head.status)) return reply.fail(*error);
    if (events_ == 0) format_.read_whole(reply, *parsed);
  }

  static ModelError web_page(int status) {
    return {status >= 400 ? kind_of_error("", "", status) : "protocol",
            "The response is a web page (HTTP status " + std::to_string(status) +
                "), not a model's reply: check the endpoint.",
            status};
  }

  void decide(const HttpHead& head, std::string_view first) {
    decided_ = true;
    status_ = head.status;
    const auto type = head.headers.find("content-type");
    const std::string named = type == head.headers.end() ? "" : type->second;
    html_ = named.starts_with("text/html");
    // Some proxies label a stream as JSON: then the first character decides.
    const size_t begin = first.find_first_not_of(" \t\r\n");
    const bool is_json = named.starts_with("application/json") &&
                         (begin == first.npos || first[begin] == '{' || first[begin] == '[');
    streaming_ = head.status == 200 && !html_ && stream_ && (format_.ndjson || !is_json);
  }

  void event(std::string_view name, std::string_view data) {
    if (reply.ended || !reply.should_continue()) return;
    const size_t begin = data.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return;
    data.remove_prefix(begin);
    if (data.starts_with("[DONE]")) {
      if (format_.done_is_enough) reply.end_without_reason();
      reply.ended = reply.stop.has_value();
      ++events_;
      return;
    }
    const std::optional<json> parsed = parse_wire_json(data, stop_);
    if (!parsed) {
      if (stop_.stop_requested()) return;
      // Cut in the middle of the last line; otherwise lines that are not JSON (a heartbeat) are
      // skipped.
      if (name == "error")
        reply.fail(
            {kind_of_error("", data.substr(0, 500), 0), valid_utf8(data.substr(0, 500)), status_});
      else if (!last_ && (data[0] == '{' || data[0] == '['))
        reply.fail({"protocol", "The stream contains an event that is not JSON.", status_});
      return;
    }
    const bool ping = name == "ping" || string_at(*parsed, "type") == "ping" ||
                      string_at(*parsed, "type") == "keepalive";
    if (!ping) ++events_;
    const json& data_form = parsed->is_array() && !parsed->empty() ? parsed->front() : *parsed;
    if (name == "error" || !at(data_form, "error").is_null() ||
        string_at(data_form, "object") == "error")
      if (auto error = error_in(data_form, status_); error && string_at(data_form, "type").empty())
        return reply.fail(*error);
    format_.read(reply, name, *parsed);
  }

  void whole(const HttpHead& head) {
    if (html_) {
      return reply.fail(web_page(head.status));
    }
    const std::optional<json> parsed = parse_wire_json(body, stop_);
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
      return reply.fail(body.empty() && stream_
                            ? ModelError{"truncated", "The response is empty.", head.status}
                            : ModelError{"protocol",
                                         "The response is not JSON: check the endpoint.",
                                         head.status});
    format_.read_whole(reply, *parsed);
    reply.ended = reply.stop.has_value();
    if (!reply.stop)
      reply.fail(
          {"protocol", "The response is not a model's reply: check the endpoint.", head.status});
  }

  const WireFormat& format_;
  bool stream_;
  const std::stop_token& stop_;
  bool decided_ = false, streaming_ = false, html_ = false, last_ = false;
  int status_ = 0;
  size_t events_ = 0, lines_read_ = 0;
  SseReader sse_;
  LineCutter lines_{SseReader::kMaxEvent};

 public:
  ReplyBuilder reply;
  std::string body;
};

int64_t seconds_of(milliseconds time) { return (time.count() + 999) / 1000; }

bool has_gif(const ModelRequest& request) {
  for (const Message& message : request.messages)
    for (const Block& block : message.blocks)
      if (const auto* image = std::get_if<ImageBlock>(&block);
          image && image->media_type == "image/gif")
        return true;
  return false;
}

bool says_nothing(const ReplyBuilder& reply) {
  return std::ranges::all_of(reply.parts, [](const ReplyBuilder::Part& part) {
    return part.kind != ReplyBuilder::Kind::call && part.content.empty();
  });
}

// Returns the status that the response would have had.
int named_status(const ModelError& error) {
  if (error.status >= 400) return error.status;
  if (error.kind == "rate_limit") return 429;
  if (error.kind == "overloaded") return 529;
  return error.kind == "server" || error.kind == "timeout" || error.kind == "truncated" ? 500 : 400;
}

class HttpModel : public Model {
 public:
  explicit HttpModel(HttpModelOptions options)
      : options_(std::move(options)), random_(std::random_device{}()) {}

  std::expected<ModelReply, ModelError> respond(const ModelRequest& request,
                                                const Task& task) override {
    auto reply = refusals_.any() ? send(refusals_.acceptable(request), task) : send(request, task);
    for (int tries = 0; tries < 2 && !reply; ++tries) {
      const auto why = refusals_.learn(reply.error(), request);
      if (!why) break;
      if (task.report)
        task.report({why->kind, options_.description + " " + why->text + "; asking again without"});
      reply = send(refusals_.acceptable(request), task);
    }
    return reply;
  }

  void rest() override { client_.close(); }
  std::string description() const override { return options_.description; }
  bool has_tools() const override { return options_.facts.has_tools.value_or(true); }
  ModelFacts facts() const override { return options_.facts; }

 private:
  // Decides: when a reply counts as cut off.
  std::expected<ModelReply, ModelError> send(const ModelRequest& request, const Task& task) {
    if (!options_.format->takes_gif && has_gif(request))
      return std::unexpected(ModelError{
          "invalid_request",
          options_.description + " does not accept GIF images: attach a PNG, JPEG or WebP image."});
    HttpRequest http;
    http.url = options_.format->url(options_.wire, request);
    http.headers = options_.format->headers(options_.wire);
    http.headers.push_back("Content-Type: application/json");
    http.headers.push_back("Expect:");
    http.headers.push_back("User-Agent: bodkin");
    const json body = options_.format->body(options_.wire, request);
    const std::string bound_to =
        options_.format->bound_to ? options_.format->bound_to(options_.wire, body) : "";
    http.body = text_of_json(body);
    http.first_byte = options_.first_byte;
    http.idle = options_.idle;
    http.progress = options_.progress;
    // If it does not stream, the first byte comes when the whole reply is complete.
    if (!request.stream) http.first_byte = std::max(http.first_byte, options_.progress);
    milliseconds waited{0};
    for (int attempt = 0;; ++attempt) {
      Answer answer(*options_.format, request.stream, task);
      answer.reply.bound_to = bound_to;
      auto head = client_.send(
          http, [&](const HttpHead& h, std::string_view bytes) { return answer.take(h, bytes); },
          task.stop);
      HttpHead got = head ? *head : head.error().head;
      if (head && !answer.reply.error) answer.finish(*head);
      // An error in a stream that has said nothing yet is one like any other.
      const bool is_silent = head && head->status == 200 && says_nothing(answer.reply);
      const bool before_stream = head ? head->status != 200 || is_silent : !head.error().had_bytes;
      ModelReply reply = answer.reply.take_reply();
      std::optional<ModelError> error = answer.reply.error;
      if (!error && !head) error = head.error().error;
      if (!error && !answer.reply.stop)
        error = ModelError{"truncated",
                           "The reply is incomplete: the stream ended without its final event.",
                           got.status};
      if (!error) return reply;
      if (error->status == 0) error->status = got.status;
      if (is_silent) got.status = named_status(*error);
      if (task.stop.stop_requested()) error = ModelError{"cancelled", "Cancelled."};
      if (!before_stream || error->kind == "cancelled" || refuses_tools(*error))
        return std::unexpected(shown(*error));
      const std::string_view words = is_silent ? error->message : answer.body;
      const int64_t now = std::time(nullptr);
      // No longer for an error that may stay, and as the SDKs for a server that is not there.
      const milliseconds most = is_passing(*error, got.status)
                                    ? options_.patience
                                    : std::min(options_.patience, kPatienceWithFaults);
      const bool is_patient = most > milliseconds(0) && got.status != 0;
      const auto left = is_patient ? most - waited : milliseconds(60'000);
      auto delay = retry_delay(*error, got, words, attempt,
                               std::uniform_real_distribution<>(0, 1)(random_), now, left);
      const auto asked = asked_delay(got, words, now);
      if (is_patient ? delay > left || asked > left : attempt >= kRetries) {
        if (delay && is_patient && asked > left)
          error->message += fmt::format(" (It asks to wait for {} s.)", seconds_of(*asked));
        delay.reset();
      }
      if (!delay) return std::unexpected(shown(*error));
      if (task.report)
        task.report({Progress::Kind::status, "The provider is unavailable (" +
                                                 shown(*error).message + "); trying again in " +
                                                 std::to_string(seconds_of(*delay)) + " s"});
      waited += *delay;
      if (!wait_for(*delay, task.stop))
        return std::unexpected(ModelError{"cancelled", "Cancelled."});
    }
  }

  // The error for the user: without the key, and with the provider's message shortened.
  ModelError shown(ModelError error) const {
    error.message = without_page(without_key(std::move(error.message), options_.wire.key));
    error.provider_kind = without_key(std::move(error.provider_kind), options_.wire.key);
    if (error.message.size() > 2000) {
      error.message.resize(2000);
      error.message = valid_utf8(error.message) + " …";
    }
    // A word such as "boom" does not say that the server said it.
    if (error.status >= 400 && error.kind != "context_length" && error.kind != "cancelled") {
      const std::string status = std::to_string(error.status);
      const bool says_more = error.message != "HTTP status " + status + ".";
      error.message = options_.description + " answered with status " + status +
                      (says_more ? ": " + error.message : ".");
    }
    if (error.kind == "authentication") {
      const bool ends = error.message.ends_with('.') || error.message.ends_with('!');
      const char* const end = ends ? " " : ". ";
      if (options_.wire.key.empty())
        error.message.append(end).append("No API key was sent.");
      else if (!options_.key_source.empty())
        error.message.append(end).append("The API key is from " + options_.key_source + ".");
    }
    if (error.provider_kind.size() > 100) error.provider_kind.clear();
    return error;
  }

  HttpModelOptions options_;
  HttpClient client_;
  std::mt19937 random_;
  Refusals refusals_;
};

}  // namespace

std::unique_ptr<Model> make_http_model(HttpModelOptions options) {
  return std::make_unique<HttpModel>(std::move(options));
}

}  // namespace bodkin
