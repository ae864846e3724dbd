#include "agent/history/session_hold.h"

#include <chrono>
#include <thread>
#include <utility>

namespace bodkin {

namespace {

using namespace std::chrono_literals;

constexpr auto kLookAgain = 100ms;

// Returns the conversation if another process has changed it since.
std::optional<Conversation> changed_elsewhere(History& history, const std::string& session) {
  auto found = history.read_now([&](HistoryStore& store) -> Result<std::optional<Conversation>> {
    const std::string writer = store.writer_of(session);
    if (writer.empty() || writer == run_id()) return std::nullopt;
    auto loaded = store.load_session(session);
    return loaded ? std::optional(std::move(loaded->conversation)) : std::nullopt;
  });
  return found ? *std::move(found) : std::nullopt;  // or else the user has been told
}

}  // namespace

// Decides: who may go on with a session.
Result<SessionHold> SessionHold::take(History* history, const std::string& session,
                                      Conversation& conversation, bool waits, const Task& task) {
  if (!history || !history->is_kept()) return SessionHold();
  std::shared_ptr<Lease> lease;
  // Waits for the writes of this process's last ask in it, whose lease is free then.
  (void)history->read_now([](HistoryStore&) { return Result<void>(); });
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
