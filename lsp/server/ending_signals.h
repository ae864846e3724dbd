// EndingSignals: SIGTERM, SIGINT and SIGHUP end the server in order, and for certain.
#pragma once

#include <functional>
#include <thread>

#include "agent/rpc/transport.h"

namespace bodkin {

// One at a time. The first signal calls `ended` on a thread of its own; a second one ends the
// process at once, and so does the first where the order takes longer than a second. A signal that
// was ignored before (nohup) stays so.
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
