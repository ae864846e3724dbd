// Cancelling what runs for long: loops ask is_stopped(), so that no function on the way to them
// takes a token.
#pragma once

#include <stop_token>
#include <utility>

namespace bodkin {

// While it exists, on the stack, is_stopped() on this thread is true once `stop` or that of one
// around it is requested.
class Stopping {
 public:
  explicit Stopping(std::stop_token stop)
      : stop_(std::move(stop)), outer_(std::exchange(innermost_, this)) {}
  ~Stopping() { innermost_ = outer_; }
  Stopping(const Stopping&) = delete;
  Stopping& operator=(const Stopping&) = delete;

  static bool is_requested() {
    for (const Stopping* one = innermost_; one; one = one->outer_)
      if (one->stop_.stop_requested()) return true;
    return false;
  }

 private:
  static inline thread_local const Stopping* innermost_ = nullptr;
  const std::stop_token stop_;
  const Stopping* const outer_;
};

// Then what is computed is not used: a loop may end with any result.
inline bool is_stopped() { return Stopping::is_requested(); }

}  // namespace bodkin
