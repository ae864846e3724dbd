// EndingSignals: SIGTERM, SIGINT and SIGHUP end bodkin: orderly if possible, but always.
#pragma once

#include <functional>
#include <thread>

#include "agent/rpc/transport.h"

namespace bodkin {

// One object at a time. The first signal calls `ended` on its own thread; a second one ends the
// process at once, and so does the first if the orderly end takes longer than a second. A signal
// that was already ignored (nohup) stays ignored.
class EndingSignals {
 public:
  explicit EndingSignals(std::function<void(int signal)> ended);
  ~EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

 private:
  rpc::Wake wake_;
  std::jthread thread_;
};

}  // namespace bodkin
