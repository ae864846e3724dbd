// How much memory a server of ours uses. Linux only; elsewhere nothing is known.
#pragma once

#include <cstdint>

namespace bodkin {

// Resident bytes of the programs that read this pipe as their standard input, and of those that
// they have started; 0: unknown. Reads /proc: some milliseconds.
uint64_t memory_of_readers(int pipe);

uint64_t machine_memory();  // bytes; 0: unknown

}  // namespace bodkin
