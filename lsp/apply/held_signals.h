#pragma once

namespace bodkin {

// During its lifetime, signals that end bodkin (Ctrl-C, SIGTERM and the like) are held back, and
// then delivered. Several at a time are one. Any thread. On POSIX a file size limit, too, makes a
// write fail from now on, instead of killing the process.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

}  // namespace bodkin
