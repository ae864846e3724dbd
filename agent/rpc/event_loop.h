// EventLoop: the thread that owns all of the server's state. Other threads reach it by `post` (fire
// and forget), `call` (run and wait, with a stop token) or `wait_for` (wait for a later answer).
// The loop's thread itself never waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>

#include "agent/support/move_only_function.h"
#include "edits/text/result.h"

namespace bodkin::rpc {

class EventLoop {
 public:
  using Event = MoveOnlyFunction<void()>;
  using Clock = std::chrono::steady_clock;

  // Any thread. Events run in the order in which they were posted; those still queued at `stop`
  // never run and are destroyed with the loop.
  void post(Event event);
  void post_after(std::chrono::milliseconds delay, Event event);

  // Any thread but the loop's. Waits for an asynchronous answer: `start` runs on the loop and gets
  // a function to call there once with the value. Error: cancelled, if `stop` was requested, the
  // loop ended first, or that function was destroyed uncalled.
  template <class Value, class Start>
  Result<Value> wait_for(const std::stop_token& stop, Start start) {
    struct Slot {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::optional<Value> value;
      bool given_up = false;
    };
    // Destroying it without a value (an event that never ran, an editor that died) ends the wait.
    struct Promise {
      std::shared_ptr<Slot> slot;
      explicit Promise(std::shared_ptr<Slot> s) : slot(std::move(s)) {}
      Promise(const Promise&) = delete;
      ~Promise() {
        std::lock_guard lock(slot->mutex);
        slot->given_up = true;
        slot->changed.notify_all();
      }
    };
    auto slot = std::make_shared<Slot>();
    post([promise = std::make_shared<Promise>(slot), start = std::move(start)]() mutable {
      start([promise = std::move(promise)](Value value) {
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

  // Any thread but the loop's. Runs `ask` on the loop and waits for its value. Error: cancelled.
  template <class Function>
  auto call(const std::stop_token& stop, Function ask) -> Result<std::invoke_result_t<Function>> {
    return wait_for<std::invoke_result_t<Function>>(
        stop, [ask = std::move(ask)](const auto& give) mutable { give(ask()); });
  }

  // Any thread. Like post, for events that must not be lost: waits until there is enough memory,
  // for the copy of `event` too.
  template <class Function>
  void post_reliably(const Function& event) {
    for (;;) {
      try {
        return post(event);
      } catch (const std::bad_alloc&) {
        wait_for_memory();
      }
    }
  }

  // Called on the loop's thread with the message of an exception that an event threw; the loop
  // continues. Set it before `run`.
  std::function<void(const char* what)> failed;

  int run();            // until `stop`; returns its code
  void stop(int code);  // any thread; the first call counts

 private:
  void run_event(Event event);
  static void wait_for_memory();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Event> events_;
  std::multimap<Clock::time_point, std::list<Event>> later_;  // one each
  std::optional<int> code_;
};

}  // namespace bodkin::rpc
