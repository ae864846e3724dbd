// Budget: the CPU time and memory that a parse or a tree walk may take. Some generated texts make a
// parser slow, others make it use much memory, in ways that differ by language; so the limit is on
// the cost, not on the looks of the text.
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

namespace bodkin {

class Budget {
 public:
  // Starts now. Time is thread CPU time, not wall time: a busy machine makes no text unparsable.
  // Memory is what tree-sitter allocates on this thread, minus what it frees, in bytes.
  Budget(std::chrono::microseconds time, size_t memory, std::stop_token stop = {});

  // For a text of this many bytes: several times what code of that size needs.
  static std::chrono::microseconds time_for(size_t text);
  static size_t memory_for(size_t text);

  // Also true when stopped. Cheap enough to call often. Thread: the creating one.
  bool is_spent() const;
  std::chrono::microseconds time_left() const;  // not below 0

 private:
  std::stop_token stop_;
  std::chrono::microseconds end_;  // of the thread's time
  mutable std::chrono::steady_clock::time_point
      look_;        // no clock of the thread's is past end_ before
  ptrdiff_t most_;  // of the thread's count of bytes
};

}  // namespace bodkin
