// Client: what the server asks of the editor and tells the person, each method of the protocol at
// one place. What the editor cannot do is done in the best way that it can. Main thread only, but
// for request_and_wait.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "agent/permission.h"
#include "lsp/capabilities.h"
#include "lsp/connection.h"
#include "lsp/event_loop.h"

namespace bodkin::lsp {

enum class MessageType { error = 1, warning = 2, information = 3, log = 4 };  // as in LSP

class Client {
 public:
  Client(Connection& connection, const Capabilities& can) : connection_(connection), can_(can) {}

  void say(MessageType type, const std::string& message);  // window/showMessage
  void log(MessageType type, const std::string& message);  // window/logMessage
  // window/showMessageRequest. `chosen` gets the option, or "" if the person chose none or cannot
  // be asked: then the message is shown alone.
  void choose(MessageType type, const std::string& message, const std::vector<std::string>& options,
              std::function<void(const std::string&)> chosen);
  bool show_document(const std::string& uri);  // false: it cannot
  // Empty: the person gave nothing, or cannot be asked.
  void input(const std::string& prompt, const std::string& placeholder,
             std::function<void(const std::string&)> given);
  void permit(const Permission& permission, std::function<void(Decision)> decided);
  void configuration(std::function<void(const Json&)> given);  // of the section "bodkin"
  void apply_edit(const std::string& label, Json edit, std::function<void(const Result<Json>&)>);

 private:
  Connection& connection_;
  const Capabilities& can_;
};

// Sends a request and waits for the answer. Any thread but the loop's; both outlive the call. A
// stop request ends the wait at once and takes the request back. Error: cancelled, or what the
// editor says.
Result<Json> request_and_wait(EventLoop& loop, Connection& connection, const char* method,
                              Json params, const std::stop_token& stop);

// Waits for something that answers later. `start` runs on the loop and calls its argument once, on
// the loop; never calling it is an error `cancelled` when it is destroyed. Any thread but the
// loop's.
template <class Value, class Start>
Result<Value> wait_for_answer(EventLoop& loop, const std::stop_token& stop, Start start) {
  struct Slot {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::optional<Value> value;
    bool given_up = false;
  };
  // Whoever drops it unanswered (an event that never ran, an editor that died) ends the wait.
  struct Promise {
    std::shared_ptr<Slot> slot;
    explicit Promise(std::shared_ptr<Slot> s) : slot(std::move(s)) {}
    ~Promise() {
      std::lock_guard lock(slot->mutex);
      slot->given_up = true;
      slot->changed.notify_all();
    }
  };
  auto slot = std::make_shared<Slot>();
  loop.post([promise = std::make_shared<Promise>(slot), start = std::move(start)]() mutable {
    start([promise](Value value) {
      std::lock_guard lock(promise->slot->mutex);
      promise->slot->value = std::move(value);
      promise->slot->changed.notify_all();
    });
  });
  std::unique_lock lock(slot->mutex);
  slot->changed.wait(lock, stop, [&] { return slot->value || slot->given_up; });
  if (!slot->value) return fail(Error::Code::cancelled, "Cancelled.");
  return std::move(*slot->value);
}

}  // namespace bodkin::lsp
