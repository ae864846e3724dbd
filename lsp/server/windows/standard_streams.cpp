#include "lsp/server/standard_streams.h"

#include <cstdio>

#include "agent/platform/files.h"
#include "agent/platform/keeper.h"

namespace bodkin {

// The descriptors are not the C library's, and no child inherits them.
std::optional<StandardStreams> take_standard_streams() {
  start_keepers();
  os::FileStatus input{}, output{};
  if (os::fstat(0, &input) == 0 && os::fstat(1, &output) == 0) return StandardStreams{0, 1};
  std::fputs("bodkin: standard input and output must be open.\n", stderr);
  return std::nullopt;
}

}  // namespace bodkin
