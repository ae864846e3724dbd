#pragma once

#include <memory>

namespace bodkin {

// During its lifetime `handler` is called, as a signal handler, when the user goes on with the
// stopped program (SIGCONT): a shell leaves the terminal as the shell has it. One at a time.
// Windows: programs are not stopped there.
class WhenContinued {
 public:
  explicit WhenContinued(void (*handler)(int));
  ~WhenContinued();
  WhenContinued(const WhenContinued&) = delete;
  WhenContinued& operator=(const WhenContinued&) = delete;

 private:
  struct Before;
  std::unique_ptr<Before> before_;
};

}  // namespace bodkin
