// Does what takes one call on Linux and several in POSIX. With BODKIN_PORTABLE the second way is
// compiled on Linux, too, and tested there.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#if !defined(__linux__) && !defined(BODKIN_PORTABLE)
#define BODKIN_PORTABLE
#endif

namespace bodkin {

// Opens a pipe whose ends are closed on exec; `also`: O_NONBLOCK or 0. On an error (see errno) both
// ends are -1. The portable way has a moment in which another thread's exec would inherit them.
inline bool open_pipe(int (&ends)[2], int also = 0) {
#ifdef BODKIN_PORTABLE
  bool is_open = ::pipe(ends) == 0;
  if (!is_open) ends[0] = ends[1] = -1;
  for (const int end : ends) {
    is_open = is_open && ::fcntl(end, F_SETFD, FD_CLOEXEC) == 0 &&
              (also == 0 || ::fcntl(end, F_SETFL, ::fcntl(end, F_GETFL) | also) == 0);
  }
  if (is_open) return true;
  const int error = errno;
  for (int& end : ends) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  errno = error;
  return false;
#else
  if (::pipe2(ends, O_CLOEXEC | also) == 0) return true;
  ends[0] = ends[1] = -1;
  return false;
#endif
}

// Takes away what is pending of this signal, which the calling thread blocks.
inline void take_pending(int signal) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, signal);
#ifdef BODKIN_PORTABLE
  for (sigset_t pending; ::sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;) {
    int taken = 0;
    if (::sigwait(&wanted, &taken) != 0) return;
  }
#else
  const timespec now{};
  while (::sigtimedwait(&wanted, nullptr, &now) > 0) {
  }
#endif
}

}  // namespace bodkin
