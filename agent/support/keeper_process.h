// What runs in the processes that we fork: the one that makes keepers, and the keepers. For
// keeper.cpp alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bodkin {

inline constexpr char kLeaveWord = 'l', kTerminateWord = 't';
inline constexpr int kMostEndingMilliseconds = 2000;
inline constexpr size_t kPassedToKeeper = 5;  // descriptors: input, output, errors, life, report

// What a keeper reads first from `life`: this, then texts that each end with a NUL: the program,
// the folder, the arguments, the environment.
struct LaunchHeader {
  uint64_t bytes = 0;  // of the texts
  uint64_t arguments = 0, variables = 0;
};

// Makes a keeper for each set of descriptors that comes, until we are gone: it never returns. It
// holds nothing of ours but the socket, for the editor waits for the end of our output.
[[noreturn]] void make_keepers(int socket);

}  // namespace bodkin
