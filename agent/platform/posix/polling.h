#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

namespace bodkin {

namespace os {

using ::poll;
using PollEntry = ::pollfd;

}  // namespace os

// Takes away what is pending of this signal, which the calling thread blocks.
void take_pending(int signal);

// During its lifetime, writing to a process that has exited does not kill ours. For one thread.
class HeldPipeSignal {
 public:
  HeldPipeSignal();
  HeldPipeSignal(const HeldPipeSignal&) = delete;
  ~HeldPipeSignal();

 private:
  sigset_t before_;
};

}  // namespace bodkin
