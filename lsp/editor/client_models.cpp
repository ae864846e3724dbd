#include "lsp/editor/client_models.h"

#include <condition_variable>
#include <deque>
#include <mutex>

#include "lsp/protocol/protocol.h"

namespace bodkin::lsp {

namespace {

// The limit of requests that the client answers from its memory; a model may take as long as it
// needs.
constexpr std::chrono::seconds kShort{5};

}  // namespace

// Shared by the waiting thread and the loop's.
struct ClientModels::Wait {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::deque<Json> deltas;
  std::optional<Result<Json>> answer;
};

ClientModels::ClientModels(EventLoop& loop, Connection& connection)
    : loop_(loop), connection_(connection) {
  connection_.on_notification("$/progress", [this](const Json& params) {
    const Json& token = member(params, "token");
    const auto found =
        token.is_string() ? by_token_.find(token.get_ref<const std::string&>()) : by_token_.end();
    if (found == by_token_.end()) return;
    const auto wait = found->second.lock();
    if (!wait) return;
    std::lock_guard lock(wait->mutex);
    wait->deltas.push_back(member(params, "value"));
    wait->changed.notify_all();
  });
}

void ClientModels::announced(const Capabilities& client) {
  has_models_ = client.models;
  has_secrets_ = client.secrets;
}

Result<Json> ClientModels::request(const char* method, Json params, const OnProgress& progress,
                                   const Task& task) {
  const auto wait = std::make_shared<Wait>();
  const std::string token = "bodkin/model/" + std::to_string(next_token_++);
  if (progress) params["partialResultToken"] = token;
  const auto sent = loop_.call(task.stop, [this, method, token, wait, params = std::move(params)] {
    std::erase_if(by_token_, [](const auto& entry) { return entry.second.expired(); });
    by_token_[token] = wait;
    return connection_.request(method, params, [wait](Result<Json> answer) {
      std::lock_guard lock(wait->mutex);
      wait->answer = std::move(answer);
      wait->changed.notify_all();
    });
  });
  if (!sent) return std::unexpected(sent.error());
  const auto end = std::chrono::steady_clock::now() + kShort;
  std::unique_lock lock(wait->mutex);
  for (;;) {
    const auto ready = [&] { return wait->answer || !wait->deltas.empty(); };
    const bool is_ready = progress ? wait->changed.wait(lock, task.stop, ready)
                                   : wait->changed.wait_until(lock, task.stop, end, ready);
    if (task.stop.stop_requested() || !is_ready) {
      loop_.post([this, id = *sent] { connection_.cancel_request(id); });
      return task.stop.stop_requested()
                 ? fail(Error::Code::cancelled, "Cancelled.")
                 : fail(Error::Code::unavailable, "The editor did not answer in time.");
    }
    std::deque<Json> deltas;
    deltas.swap(wait->deltas);
    const bool ended = wait->answer.has_value();
    lock.unlock();
    if (progress)
      for (const Json& delta : deltas) progress(delta);
    if (ended) return std::move(*wait->answer);
    lock.lock();
  }
}

}  // namespace bodkin::lsp
