// Standard input and output, for a protocol that is spoken on them.
#pragma once

#include <optional>

namespace bodkin {

struct StandardStreams {
  int input, output;  // descriptors of their own, which children do not get
};
// The protocol gets descriptors of its own: a library's prints go to standard error from now on,
// and a child that reads gets nothing. Also ignores SIGPIPE, and starts what must be started before
// the first thread (start_keepers). Nullopt, after a message: they are not open.
std::optional<StandardStreams> take_standard_streams();

}  // namespace bodkin
