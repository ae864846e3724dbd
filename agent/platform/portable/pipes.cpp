#include <unistd.h>

#include <cerrno>

#include "agent/platform/polling.h"

namespace bodkin {

// There is a moment in which another thread's exec would inherit the ends.
bool open_pipe(int (&ends)[2], int also) {
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
}

void take_pending(int signal) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, signal);
  for (sigset_t pending; ::sigpending(&pending) == 0 && sigismember(&pending, signal) == 1;) {
    int taken = 0;
    if (::sigwait(&wanted, &taken) != 0) return;
  }
}

}  // namespace bodkin
