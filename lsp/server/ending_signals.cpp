#include "lsp/server/ending_signals.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "agent/support/guarded.h"
#include "agent/platform/polling.h"

namespace bodkin {

namespace {

constexpr int kEnding[] = {SIGTERM, SIGINT, SIGHUP};

// The only state that the handler may use safely.
std::atomic<int> first_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);
int signal_pipe[2] = {-1, -1};

extern "C" void take_ending_signal(int signal) {
  int first = 0;
  if (!first_signal.compare_exchange_strong(first, signal)) ::_exit(128 + first);  // SIGALRM, too
  const int before = errno;
  const itimerval second{{0, 0}, {0, 900'000}};
  ::setitimer(ITIMER_REAL, &second, nullptr);
  const char byte = 0;
  if (::write(signal_pipe[1], &byte, 1) < 0) {
  }
  errno = before;
}

void handle(int signal) {
  struct sigaction action {
  }, before{};
  action.sa_handler = take_ending_signal;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN || signal == SIGALRM) ::sigaction(signal, &action, nullptr);
}

}  // namespace

EndingSignals::EndingSignals(std::function<void(int signal)> ended) {
  if (!open_pipe(signal_pipe, O_NONBLOCK)) return;  // they end the process, then
  thread_ = std::jthread([this, ended = std::move(ended)] {
    if (wake_.wait_for(signal_pipe[0], POLLIN)) guarded([&] { ended(first_signal); });
  });
  handle(SIGALRM);
  for (const int signal : kEnding) handle(signal);
}

// From now on there is nothing to clean up.
EndingSignals::~EndingSignals() { wake_.up(); }

}  // namespace bodkin
