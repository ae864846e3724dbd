#include <sys/socket.h>
#include <unistd.h>

#include "agent/platform/polling.h"

namespace bodkin {

bool open_pipe(int (&ends)[2], int also) {
  if (::pipe2(ends, O_CLOEXEC | also) == 0) return true;
  ends[0] = ends[1] = -1;
  return false;
}

bool open_socket_pair(int (&ends)[2]) {
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) return true;
  ends[0] = ends[1] = -1;
  return false;
}

void take_pending(int signal) {
  sigset_t wanted;
  sigemptyset(&wanted);
  sigaddset(&wanted, signal);
  const timespec now{};
  while (::sigtimedwait(&wanted, nullptr, &now) > 0) {
  }
}

}  // namespace bodkin
