// EventLoop: the one thread that owns all of the server's state. Others reach it by `post` (fire
// and forget) or `call` (ask and wait, with a stop token). The loop's thread waits for nobody.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>

#include "edits/result.h"

namespace bodkin::lsp {

class EventLoop {
 public:
  using Event = std::move_only_function<void()>;
  using Clock = std::chrono::steady_clock;

  // Any thread. Events run in the order in which they were posted; after `stop` they never run, and
  // are destroyed with the loop.
  void post(Event event);
  void post_after(std::chrono::milliseconds delay, Event event);

  // Any thread but the loop's. Runs `ask` on the loop and waits for its value. Error: cancelled, if
  // `stop` was requested or the loop ended first.
  template <class Function>
  auto call(const std::stop_token& stop, Function ask) -> Result<std::invoke_result_t<Function>> {
    using Value = std::invoke_result_t<Function>;
    struct Slot {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::optional<Value> value;
      bool given_up = false;
    };
    // An event that is dropped unrun releases the waiting thread from its destructor.
    struct Promise {
      std::shared_ptr<Slot> slot;
      explicit Promise(std::shared_ptr<Slot> s) : slot(std::move(s)) {}
      Promise(Promise&&) = default;
      ~Promise() {
        if (!slot) return;
        std::lock_guard lock(slot->mutex);
        slot->given_up = true;
        slot->changed.notify_all();
      }
    };
    auto slot = std::make_shared<Slot>();
    post([promise = Promise(slot), ask = std::move(ask)]() mutable {
      Value value = ask();
      std::lock_guard lock(promise.slot->mutex);
      promise.slot->value = std::move(value);
    });
    std::unique_lock lock(slot->mutex);
    slot->changed.wait(lock, stop, [&] { return slot->value || slot->given_up; });
    if (!slot->value) return fail(Error::Code::cancelled, "Cancelled.");
    return std::move(*slot->value);
  }

  int run();            // until `stop`; returns its code
  void stop(int code);  // any thread; the first call counts

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Event> events_;
  std::multimap<Clock::time_point, Event> later_;
  std::optional<int> code_;
};

}  // namespace bodkin::lsp
