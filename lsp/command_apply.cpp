#include <cstdio>

#include "lsp/commands.h"

namespace bodkin {

int apply_command(const ApplyCommand&) {
  std::fputs("bodkin apply: not built yet\n", stderr);
  return 2;
}

}  // namespace bodkin
