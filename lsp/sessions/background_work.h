// BackgroundWork: what takes a while but is no ask (a pasted reply, a prompt, choosing a model),
// each on a thread of its own that is joined. Lives on the loop's thread.
#pragma once

#include <functional>
#include <map>
#include <thread>

#include "agent/rpc/event_loop.h"
#include "agent/support/task.h"

namespace bodkin {

class BackgroundWork {
 public:
  // `failed`: something threw; any thread; may be empty. The loop outlives this.
  BackgroundWork(rpc::EventLoop& loop, std::function<void(const char* what)> failed)
      : loop_(loop), failed_(std::move(failed)) {}
  ~BackgroundWork() { stop(); }
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;

  // `run` is called once, on a new thread. Throws if there is no room for one.
  void start(std::move_only_function<void(const Task&)> run);
  // Stops and joins all threads.
  void stop();

 private:
  rpc::EventLoop& loop_;
  std::function<void(const char* what)> failed_;
  uint64_t next_ = 1;
  std::map<uint64_t, std::jthread> threads_;  // last: joined before anything that they use goes
};

}  // namespace bodkin
