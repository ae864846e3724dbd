#include "agent/rpc/child_connection.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/support/guarded.h"
#include "agent/support/json.h"
#include "agent/support/shown_text.h"
#include "agent/support/utf8.h"

namespace bodkin::rpc {

namespace {

using namespace std::chrono_literals;

constexpr auto kSlice = 500ms;        // in which a child that works gets some time
constexpr size_t kMaxRefusal = 1000;  // bytes of a child's sentence

Child::Clock::time_point end_of(std::chrono::milliseconds timeout) {
  return Child::Clock::now() + std::min<std::chrono::milliseconds>(timeout, 24h);
}

double seconds(std::chrono::milliseconds time) { return static_cast<double>(time.count()) / 1000; }

}  // namespace

ChildConnection::ChildConnection(std::unique_ptr<Child> child, const Protocol& protocol)
    : child_(std::move(child)),
      protocol_(protocol),
      frames_(protocol.framing, kMaxMessage),
      connection_([this](const Json& message) { send(message); }, protocol, child_->name()) {
  connection_.ignored = [this](const std::string& body) {
    child_->note(body);
    child_->note("\n");
  };
}

void ChildConnection::send(const Json& message) {
  if (not_sent_) return;
  const std::string body = text_of_json(message);
  if (const auto written = child_->write(frame(body, protocol_.framing)); !written)
    not_sent_ = written.error();
}

void ChildConnection::take(const Frame& frame) {
  if (frame.problem.empty()) return connection_.receive(frame.body);
  child_->note(frame.problem + "\n");
}

Result<bool> ChildConnection::wait_until(const std::function<bool()>& is_done,
                                         const std::stop_token& stop, Milliseconds timeout) {
  until_ = end_of(timeout);
  const auto latest = until_ + 3 * timeout;
  std::optional<Milliseconds> late_use, last_use;  // of the processors
  was_starved_ = false;
  while (!is_done()) {
    const auto output = child_->exchange(stop, until_);
    if (!output) return std::unexpected(output.error());
    std::string failure;
    guarded([&] { frames_.take(*output, [this](const Frame& frame) { take(frame); }); },
            [&](const char* what) { failure = what; });
    if (!failure.empty()) {
      return fail(Error::Code::internal,
                  fmt::format("A message of {} failed: {}.", child_->name(), failure));
    }
    if (is_done()) break;
    if (not_sent_) return std::unexpected(*not_sent_);
    if (Child::Clock::now() < until_) continue;
    if (!is_patient_) return false;
    const Milliseconds use = child_->use().cpu_time;
    const bool is_idle = last_use && use - *last_use < kSlice / 20;
    const bool has_had_its_time = late_use && use - *late_use >= timeout;
    was_starved_ = !is_idle && !has_had_its_time && until_ >= latest;
    if (is_idle || has_had_its_time || was_starved_) return false;
    if (!late_use) late_use = use;
    last_use = use;
    until_ += kSlice;
  }
  return true;
}

void ChildConnection::prolong(Milliseconds time) { until_ = std::max(until_, end_of(time)); }

Result<Json> ChildConnection::request(const char* method, Json params, const std::stop_token& stop,
                                      Milliseconds timeout) {
  const auto answer = std::make_shared<std::optional<Result<Json>>>();
  last_error_ = nullptr;
  not_sent_.reset();
  const int64_t id =
      connection_.request(method, std::move(params), [this, answer](Result<Json> given) {
        *answer = std::move(given);
        last_error_ = connection_.last_error();
      });
  const auto waited = not_sent_ ? Result<bool>(std::unexpected(*not_sent_))
                                : wait_until([&] { return answer->has_value(); }, stop, timeout);
  if (*answer) {
    if (**answer) return std::move(***answer);
    const std::string_view why = (*answer)->error().message;
    return fail((*answer)->error().code, plain_line(valid_utf8(why.substr(0, kMaxRefusal))));
  }
  connection_.cancel_request(id);
  if (!waited) return std::unexpected(waited.error());
  return fail(Error::Code::unavailable,
              fmt::format("{} did not answer {} within {:.3g} s.{}", child_->name(), method,
                          seconds(timeout), child_->last_words()));
}

Result<void> ChildConnection::notify(const char* method, Json params, const std::stop_token& stop,
                                     Milliseconds timeout) {
  not_sent_.reset();
  connection_.notify(method, std::move(params));
  if (not_sent_) return std::unexpected(*not_sent_);
  const auto written = wait_until([&] { return !child_->has_unwritten(); }, stop, timeout);
  if (!written) return std::unexpected(written.error());
  if (*written) return {};
  return fail(Error::Code::unavailable,
              fmt::format("{} did not read {} within {:.3g} s.{}", child_->name(), method,
                          seconds(timeout), child_->last_words()));
}

}  // namespace bodkin::rpc
