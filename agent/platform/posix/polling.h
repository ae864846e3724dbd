#pragma once

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include <cstddef>

namespace bodkin {

namespace os {

using ::poll;
using PollEntry = ::pollfd;
using SignalSet = ::sigset_t;
// The bytes that a pipe that polls as writable takes without blocking: PIPE_BUF.
inline constexpr size_t kWritableAtOnce = 4096;

}  // namespace os

// Like open_pipe(), but for the two ends of a stream socket.
bool open_socket_pair(int (&ends)[2]);

// Waits until `number`, which is below FD_SETSIZE, can be read, while these signals alone are
// blocked: above 0. Else as poll(). By select(), the one that knows terminals on every system.
int wait_to_read(int number, const os::SignalSet& blocked);

// Takes away what is pending of this signal, which the calling thread blocks.
void take_pending(int signal);

}  // namespace bodkin
