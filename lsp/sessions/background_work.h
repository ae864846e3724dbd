// BackgroundWork: long-running work other than asks (a pasted reply, a prompt, choosing a
// model), each on its own thread, which is joined. Main thread only.
#pragma once

#include <functional>
#include <map>
#include <thread>

#include "agent/rpc/event_loop.h"
#include "agent/support/move_only_function.h"
#include "agent/support/task.h"

namespace bodkin {

class BackgroundWork {
 public:
  // `failed`: called on any thread if something threw; may be empty. The loop outlives this.
  BackgroundWork(rpc::EventLoop& loop, std::function<void(const char* what)> failed)
      : loop_(loop), failed_(std::move(failed)) {}
  ~BackgroundWork() { stop(); }
  BackgroundWork(const BackgroundWork&) = delete;
  BackgroundWork& operator=(const BackgroundWork&) = delete;

  // `run` is called once, on a new thread. Throws if no thread can be created.
  void start(MoveOnlyFunction<void(const Task&)> run);
  // Stops and joins all threads.
  void stop();

 private:
  rpc::EventLoop& loop_;
  std::function<void(const char* what)> failed_;
  uint64_t next_ = 1;
  std::map<uint64_t, std::jthread> threads_;  // last: joined before what they use is destroyed
};

}  // namespace bodkin
