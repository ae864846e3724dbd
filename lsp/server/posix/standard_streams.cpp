#include "lsp/server/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "agent/platform/keeper.h"

namespace bodkin {

std::optional<StandardStreams> take_standard_streams() {
  start_keepers();
  std::signal(SIGPIPE, SIG_IGN);
  const int input = ::fcntl(0, F_DUPFD_CLOEXEC, 3);
  const int output = ::fcntl(1, F_DUPFD_CLOEXEC, 3);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (input < 0 || output < 0 || nothing < 0) {
    std::fputs("bodkin: standard input and output must be open.\n", stderr);
    return std::nullopt;
  }
  ::dup2(nothing, 0);
  ::dup2(2, 1);
  return StandardStreams{input, output};
}

}  // namespace bodkin
