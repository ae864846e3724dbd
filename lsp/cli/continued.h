#pragma once

#include <memory>

namespace bodkin {

// During its lifetime `handler` is called, as a signal handler, when the user continues the stopped
// program (SIGCONT): the shell has changed the terminal meanwhile. One at a time. Windows: programs
// are not stopped there.
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
