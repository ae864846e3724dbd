#include "lsp/apply/held_signals.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <mutex>

namespace bodkin {

namespace {

constexpr std::array kHeld = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};

// The only state that the handler may use safely.
std::array<std::atomic<bool>, kHeld.size()> came_meanwhile{};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void note_signal(int signal) {
  for (size_t i = 0; i < kHeld.size(); ++i)
    if (kHeld[i] == signal) came_meanwhile[i] = true;
}

// The first one changes the handlers, the last one restores them, and delivers the signals that
// came in between.
std::mutex mutex;
size_t count = 0;
std::array<struct sigaction, kHeld.size()> before{};

}  // namespace

HeldSignals::HeldSignals() {
  const std::lock_guard lock(mutex);
  if (count++ > 0) return;
  std::signal(SIGXFSZ, SIG_IGN);
  struct sigaction noted {};
  noted.sa_handler = note_signal;
  noted.sa_flags = SA_RESTART;
  sigemptyset(&noted.sa_mask);
  for (size_t i = 0; i < kHeld.size(); ++i) {
    ::sigaction(kHeld[i], nullptr, &before[i]);
    came_meanwhile[i] = false;
    if (before[i].sa_handler != SIG_IGN) ::sigaction(kHeld[i], &noted, nullptr);
  }
}

HeldSignals::~HeldSignals() {
  const std::lock_guard lock(mutex);
  if (--count > 0) return;
  for (size_t i = 0; i < kHeld.size(); ++i) ::sigaction(kHeld[i], &before[i], nullptr);
  for (size_t i = 0; i < kHeld.size(); ++i)
    if (came_meanwhile[i].exchange(false)) ::kill(::getpid(), kHeld[i]);
}

}  // namespace bodkin
