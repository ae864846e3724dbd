#include "lsp/cli/continued.h"

#include <signal.h>

namespace bodkin {

struct WhenContinued::Before {
  struct sigaction action {};
};

WhenContinued::WhenContinued(void (*handler)(int)) : before_(std::make_unique<Before>()) {
  struct sigaction now {};
  now.sa_handler = handler;
  now.sa_flags = SA_RESTART;
  ::sigaction(SIGCONT, &now, &before_->action);
}

WhenContinued::~WhenContinued() { ::sigaction(SIGCONT, &before_->action, nullptr); }

}  // namespace bodkin
