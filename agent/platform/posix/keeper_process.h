// The code of the processes that we fork: the one that makes keepers, and the keepers. Only for
// keeper.cpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bodkin {

inline constexpr char kLeaveWord = 'l', kTerminateWord = 't';
inline constexpr int kMaxEndingMilliseconds = 2000;
inline constexpr size_t kPassedToKeeper = 5;  // descriptors: input, output, errors, life, report

// The header that a keeper first reads from `life`. After it come NUL-terminated texts: the
// program, the folder, the arguments, the environment.
struct LaunchHeader {
  uint64_t bytes = 0;  // of the texts
  uint64_t arguments = 0, variables = 0;
};

// Makes a keeper for each set of descriptors that arrives, until we are gone; never returns. Of our
// descriptors it keeps only the socket, since the editor waits for our output to be closed.
[[noreturn]] void make_keepers(int socket);

}  // namespace bodkin
