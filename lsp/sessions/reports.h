// Reports: an ask's progress on its way to the loop. A model's text may arrive faster than anybody
// can read: pieces are joined, and beyond 64 kB at once the rest is only counted, so that the loop
// stays responsive. The ask's outcome has all of the text.
#pragma once

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

  // Any thread. Text is shown at once, or joined with more after at most 30 ms; everything else at
  // once, in order.
  void add(const Progress& progress);
  // On the loop's thread: shows the rest.
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
