#include <cstdio>

#include "lsp/commands.h"

namespace bodkin {

int context_command(const ContextCommand&) {
  std::fputs("bodkin context: not built yet\n", stderr);
  return 2;
}

}  // namespace bodkin
