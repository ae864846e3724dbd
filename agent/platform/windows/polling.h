#pragma once

#include <cstddef>

#include "agent/platform/files.h"

inline constexpr short POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16, POLLNVAL = 32;

namespace bodkin {

namespace os {

struct SignalSet {};

struct PollEntry {
  int fd = -1;  // -1: none
  short events = 0, revents = 0;
};
// Pipes, consoles, the ends of processes (Keeper::report_fd), files (always ready). A pipe is
// always ready for POLLOUT; a write to one that is not nonblocking waits.
int poll(PollEntry* entries, size_t count, int milliseconds);
// The bytes that a pipe that polls as writable takes without blocking: its thread's buffer.
inline constexpr size_t kWritableAtOnce = 65536;

}  // namespace os

}  // namespace bodkin
