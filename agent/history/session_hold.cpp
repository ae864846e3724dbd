#include "agent/history/session_hold.h"

#include <chrono>
#include <future>
#include <thread>
#include <utility>

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kLookAgain = 100ms;

// Until what was handed to the history before is written, or cannot be.
void wait_for_writes(History& history) {
  std::promise<void> promise;
  history.read([&](HistoryStore&) { promise.set_value(); },
               [&](const Error&) { promise.set_value(); });
  promise.get_future().wait();
}

// Returns the conversation if another process has changed it since.
std::optional<Conversation> changed_elsewhere(History& history, const std::string& session) {
  std::promise<std::optional<Conversation>> promise;
  history.read(
      [&](HistoryStore& store) {
        const std::string writer = store.writer_of(session);
        std::optional<Conversation> found;
        if (!writer.empty() && writer != run_id()) {
          if (auto loaded = store.load_session(session)) found = std::move(loaded->conversation);
        }
        promise.set_value(std::move(found));
      },
      [&](const Error&) { promise.set_value(std::nullopt); });  // the user has been told
  return promise.get_future().get();
}

}  // namespace

// Decides: who may go on with a session.
Result<SessionHold> SessionHold::take(History* history, const std::string& session,
                                      Conversation& conversation, bool waits, const Task& task) {
  if (!history || !history->is_kept()) return SessionHold();
  std::shared_ptr<Lease> lease;
  wait_for_writes(*history);  // of this process's last ask in it, whose lease is free then
  for (bool is_first = true; !lease; is_first = false) {
    auto taken = Lease::take(history->path(), lease_name(session));
    if (taken) {
      lease = std::make_shared<Lease>(*std::move(taken));
      break;
    }
    if (taken.error() == Lease::Refusal::no_place) break;
    if (!waits)
      return fail(Error::Code::unavailable,
                  "Another bodkin process is using this session; wait until it finishes, or cancel "
                  "it there.");
    if (task.stop.stop_requested()) return fail(Error::Code::cancelled, "Cancelled.");
    if (is_first && task.report)
      task.report(
          {Progress::Kind::status, "Waiting for another bodkin process to finish in this session"});
    std::this_thread::sleep_for(kLookAgain);
  }
  if (auto changed = changed_elsewhere(*history, session)) {
    changed->granted = std::move(conversation.granted);
    changed->withheld = std::move(conversation.withheld);
    changed->tokens_per_byte = conversation.tokens_per_byte;
    conversation = *std::move(changed);
  }
  return SessionHold(*history, std::move(lease));
}

SessionHold::~SessionHold() {
  if (!lease_) return;
  history_->read([lease = lease_](HistoryStore&) {}, [lease = lease_](const Error&) {});
}

}  // namespace bodkin
