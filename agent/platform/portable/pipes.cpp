#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "agent/platform/polling.h"

namespace bodkin {

namespace {

// There is a moment in which another thread's exec would inherit the ends.
bool keep_from_others(bool is_open, int (&ends)[2], int also) {
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

}  // namespace

bool open_pipe(int (&ends)[2], int also) { return keep_from_others(::pipe(ends) == 0, ends, also); }

bool open_socket_pair(int (&ends)[2]) {
  return keep_from_others(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, ends, 0);
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
