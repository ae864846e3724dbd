#include "agent/platform/polling.h"

#include <sys/select.h>
#include <unistd.h>

namespace bodkin {

HeldPipeSignal::HeldPipeSignal() {
  sigset_t signal;
  sigemptyset(&signal);
  sigaddset(&signal, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &signal, &before_);
}

HeldPipeSignal::~HeldPipeSignal() {
  // A pending SIGPIPE of ours is consumed before the signal is unblocked.
  if (!sigismember(&before_, SIGPIPE)) take_pending(SIGPIPE);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int wait_to_read(int number, const os::SignalSet& blocked) {
  fd_set waited;
  FD_ZERO(&waited);
  FD_SET(number, &waited);
  return ::pselect(number + 1, &waited, nullptr, nullptr, nullptr, &blocked);
}

namespace os {

void set_nonblocking(int number) { ::fcntl(number, F_SETFL, O_NONBLOCK); }

int above_standard(int number) {
  if (number < 0 || number > 2) return number;
  const int other = ::fcntl(number, F_DUPFD_CLOEXEC, 3);
  ::close(number);
  return other;
}

}  // namespace os

}  // namespace bodkin
