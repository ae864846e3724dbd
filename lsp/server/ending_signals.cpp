#include "lsp/server/ending_signals.h"

#include "agent/platform/pipe.h"
#include "agent/platform/signals.h"
#include "agent/support/guarded.h"

namespace bodkin {

namespace {

constexpr int kPatience = 900;  // ms

// The pipe to which the signals are reported, as long as the process lives.
int signal_pipe[2] = {-1, -1};

}  // namespace

EndingSignals::EndingSignals(std::function<void(int signal)> ended) {
  if (signal_pipe[0] < 0 && !open_pipe(signal_pipe, O_NONBLOCK)) return;   // they end it, then
  for (char late = 0; os::read(signal_pipe[0], &late, 1) == 1;) continue;  // of an earlier object
  thread_ = std::jthread([this, ended = std::move(ended)] {
    char signal = 0;
    if (wake_.wait_for(signal_pipe[0], POLLIN) && os::read(signal_pipe[0], &signal, 1) == 1)
      guarded([&] { ended(signal); });
  });
  os::report_ending_signals(signal_pipe[1], kPatience);
}

// From now on there is nothing to clean up.
EndingSignals::~EndingSignals() { wake_.up(); }

}  // namespace bodkin
