#include "agent/rpc/event_loop.h"

#include <thread>

#include "agent/support/guarded.h"

namespace bodkin::rpc {

void EventLoop::post(Event event) {
  {
    std::lock_guard lock(mutex_);
    if (code_) return;  // dies with the parameter, without the lock: that releases who waits
    events_.push_back(std::move(event));
  }
  changed_.notify_one();
}

void EventLoop::post_after(std::chrono::milliseconds delay, Event event) {
  std::list<Event> one;
  one.push_back(std::move(event));
  {
    std::lock_guard lock(mutex_);
    if (code_) return;
    later_.emplace(Clock::now() + delay, std::move(one));
  }
  changed_.notify_one();
}

void EventLoop::wait_for_memory() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

// The barrier: what an event did not expect ends the event and nothing else.
void EventLoop::run_event(Event event) {
  guarded([&] { event(); },
          [&](const char* what) {
            if (failed) failed(what);
          });
  event = nullptr;  // what it holds may post
}

int EventLoop::run() {
  std::unique_lock lock(mutex_);
  while (!code_) {
    if (!later_.empty() && later_.begin()->first <= Clock::now()) {
      events_.splice(events_.end(), later_.begin()->second);  // needs no memory
      later_.erase(later_.begin());
    }
    if (events_.empty()) {
      if (later_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, later_.begin()->first);
      }
      continue;
    }
    Event event = std::move(events_.front());
    events_.pop_front();
    lock.unlock();
    run_event(std::move(event));
    lock.lock();
  }
  // Releases threads that wait for an answer from the loop.
  std::list<Event> unrun = std::move(events_);
  std::multimap<Clock::time_point, std::list<Event>> never = std::move(later_);
  events_.clear();
  later_.clear();
  lock.unlock();
  unrun.clear();
  never.clear();
  lock.lock();
  return *code_;
}

void EventLoop::stop(int code) {
  {
    std::lock_guard lock(mutex_);
    if (!code_) code_ = code;
  }
  changed_.notify_one();
}

}  // namespace bodkin::rpc
