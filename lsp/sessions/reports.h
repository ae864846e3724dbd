// Reports: what an ask says while it runs, on its way to the loop. A model's words may come faster
// than anybody reads: they are joined, and of more than 64 kB at once it is said how much was left
// out, so that they hold up nothing that the person does. What the model said is whole in the
// ask's outcome.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "agent/rpc/event_loop.h"
#include "agent/support/task.h"

namespace bodkin {

class Reports : public std::enable_shared_from_this<Reports> {
 public:
  // `show` is called on the loop, which outlives this.
  Reports(rpc::EventLoop& loop, std::function<void(const Progress&)> show)
      : loop_(loop), show_(std::move(show)) {}

  // Any thread. Words are shown at once, or together with others after at most 30 ms; everything
  // else at once and behind what came before it.
  void add(const Progress& progress);
  // On the loop: shows what is left.
  void flush();

 private:
  void end_words();
  rpc::EventLoop& loop_;
  const std::function<void(const Progress&)> show_;
  std::mutex mutex_;
  std::vector<Progress> held_;
  size_t left_out_ = 0;  // bytes of the last one
  bool is_posted_ = false;
  rpc::EventLoop::Clock::time_point shown_;  // last
};

}  // namespace bodkin
