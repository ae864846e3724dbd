// Measures the memory of our language servers. Linux only; elsewhere nothing is known.
#pragma once

#include <chrono>
#include <cstdint>

namespace bodkin {

struct ProcessUse {
  uint64_t memory = 0;                   // resident bytes; 0: unknown
  std::chrono::milliseconds cpu_time{};  // since they started
};

// Measures the programs that read this pipe as their standard input, and those that they have
// started. Reads /proc: some milliseconds.
ProcessUse use_of_readers(int pipe);

// Whether one program at a time should run: on battery, or where three times as many wait for a
// processor as there are.
bool is_thrifty();

uint64_t machine_memory();  // bytes; 0: unknown

}  // namespace bodkin
