#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

namespace bodkin {

namespace os {

using ::poll;
using PollEntry = ::pollfd;
using SignalSet = ::sigset_t;

}  // namespace os

// Takes away what is pending of this signal, which the calling thread blocks.
void take_pending(int signal);

}  // namespace bodkin
