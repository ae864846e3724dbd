// Waiting for descriptors, as poll() of POSIX does. Thread: any.
#pragma once

#include <chrono>

#include "agent/platform/system/polling.h"

namespace bodkin {

// Opens a pipe whose ends are inherited by nobody; `also`: O_NONBLOCK or 0. On an error (see errno)
// both ends are -1.
bool open_pipe(int (&ends)[2], int also = 0);

namespace os {

// Makes read() and write() return EAGAIN where they would wait.
void set_nonblocking(int number);

// `number`, or if that is 0, 1 or 2, a duplicate above 2 in its place. -1: see errno.
int above_standard(int number);

}  // namespace os

// During its lifetime, writing to a process that has exited does not kill ours. For one thread.
// Windows has no such signal.
class HeldPipeSignal {
 public:
  HeldPipeSignal();
  HeldPipeSignal(const HeldPipeSignal&) = delete;
  ~HeldPipeSignal();

 private:
  os::SignalSet before_;
};

// The timeout for poll(), in milliseconds; at most a minute.
int poll_time_until(std::chrono::steady_clock::time_point end);

}  // namespace bodkin
