#include <cstdio>

#include "lsp/commands.h"

namespace bodkin {

int complete_command(const CompleteCommand&) {
  std::fputs("bodkin complete: not built yet\n", stderr);
  return 2;
}

}  // namespace bodkin
