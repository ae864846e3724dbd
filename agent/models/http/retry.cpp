#include "agent/models/http/retry.h"

#include <curl/curl.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <mutex>

namespace bodkin {
namespace {

using std::chrono::milliseconds;

// "retry in 1.5s", "try again in 250ms": the delay in milliseconds.
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

// Broke off midway, or reported in its stream that it cannot continue.
bool broke_off(const ModelError& error) {
  return error.kind == "truncated" || error.kind == "network" ||
         (error.status == 200 && (error.kind == "overloaded" || error.kind == "server"));
}

std::string header_of(const HttpHead& head, const char* name) {
  const auto found = head.headers.find(name);
  return found == head.headers.end() ? "" : found->second;
}

}  // namespace

std::optional<milliseconds> asked_delay(const HttpHead& head, std::string_view body, int64_t now) {
  std::optional<double> wanted;
  if (const std::string value = header_of(head, "retry-after-ms"); !value.empty()) {
    wanted = std::atof(value.c_str());
  } else if (const std::string after = header_of(head, "retry-after"); !after.empty()) {
    char* end = nullptr;
    const double seconds = std::strtod(after.c_str(), &end);
    if (end != after.c_str())
      wanted = seconds * 1000;
    else if (const time_t date = curl_getdate(after.c_str(), nullptr); date > 0)
      wanted = std::max<double>(0, static_cast<double>(date - now)) * 1000;
  } else {
    wanted = milliseconds_in_words(body);
  }
  constexpr double kDay = 86'400'000;
  if (!wanted || !(*wanted >= 0)) return std::nullopt;
  return milliseconds(static_cast<int64_t>(std::ceil(std::min(*wanted, kDay))));
}

// Decides: whether a request is sent again, and when.
std::optional<milliseconds> retry_delay(const ModelError& error, const HttpHead& head,
                                        std::string_view body, int attempt, double jitter,
                                        int64_t now, milliseconds longest) {
  if (head.status == 0) {
    // No response began: only errors that may be transient.
    if (error.kind != "network" || error.message.find("certificate") != std::string::npos)
      return std::nullopt;
  } else {
    const std::string should = header_of(head, "x-should-retry");
    if (should == "false") return std::nullopt;
    const int s = head.status;
    if (should != "true" && s != 408 && s != 409 && s != 429 && s < 500) return std::nullopt;
    if (error.kind == "quota" || error.kind == "context_length") return std::nullopt;
  }
  const double growth = std::pow(2, std::min(attempt, 10));
  // A delay longer than a user would wait is ignored, as OpenAI's own SDK does. One of nothing is
  // believed once: who fails again is not asked without a pause.
  if (const auto asked = asked_delay(head, body, now); asked && *asked <= longest)
    return attempt == 0 ? *asked
                        : std::max(*asked, milliseconds(static_cast<int64_t>(50 * growth)));
  return milliseconds(static_cast<int64_t>(std::min(500.0 * growth, 8000.0) * (1 - jitter * 0.25)));
}

bool is_passing(const ModelError& error, int status) {
  return error.kind == "rate_limit" || error.kind == "overloaded" || status == 429 ||
         (status >= 502 && status <= 504) || status == 529;
}

bool wait_for(milliseconds time, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

std::expected<ModelReply, ModelError> respond_whole(Model& model, const ModelRequest& request,
                                                    const Task& task) {
  bool has_streamed = false;
  const Task watched{task.stop, [&](const Progress& progress) {
                       if (progress.kind != Progress::Kind::status) has_streamed = true;
                       if (task.report) task.report(progress);
                     }};
  auto reply = model.respond(request, watched);
  // Before its first byte a request has already been retried, if that could help.
  if (reply || !has_streamed || !broke_off(reply.error()) || task.stop.stop_requested())
    return reply;
  if (task.report)
    task.report({Progress::Kind::status,
                 "The reply was interrupted (" + reply.error().message + "); asking again"});
  return model.respond(request, task);
}

}  // namespace bodkin
