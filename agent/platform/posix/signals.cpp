#include "agent/platform/signals.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace bodkin::os {

namespace {

// The only state that the handler may use safely.
std::atomic<int> first_signal = 0, report_to = -1, patience = 0;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void take_ending_signal(int signal) {
  int first = 0;
  if (!first_signal.compare_exchange_strong(first, signal)) ::_exit(128 + first);  // SIGALRM, too
  const int before = errno;
  const itimerval after{{0, 0}, {patience / 1000, patience % 1000 * 1000}};
  ::setitimer(ITIMER_REAL, &after, nullptr);
  const char byte = static_cast<char>(signal);
  if (::write(report_to, &byte, 1) < 0) {
  }
  errno = before;
}

void handle(int signal) {
  struct sigaction action {
  }, before{};
  action.sa_handler = take_ending_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN || signal == SIGALRM) ::sigaction(signal, &action, nullptr);
}

}  // namespace

void report_ending_signals(int write_to, int patience_ms) {
  report_to = write_to;
  patience = patience_ms;
  for (const int signal : {SIGALRM, SIGTERM, SIGINT, SIGHUP}) handle(signal);
}

void interrupt_this_process() { ::kill(::getpid(), SIGINT); }

void ignore_broken_pipes() { ::signal(SIGPIPE, SIG_IGN); }

}  // namespace bodkin::os
