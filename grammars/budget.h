// Budget: the processor time and the memory that a parse, or a walk over a tree, may take. Of texts
// that no person wrote some make a parser slow and others make it large, each language's by other
// means; so what is limited is what it takes, and not what the text looks like.
#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>

namespace bodkin {

class Budget {
 public:
  // Begins now. Time is the thread's own, not the clock's: a busy machine makes no text unparsable.
  // Memory is what tree-sitter takes on this thread, less what it frees, in bytes.
  Budget(std::chrono::microseconds time, size_t memory, std::stop_token stop = {});

  // For a text of this many bytes: what code takes, several times over.
  static std::chrono::microseconds time_for(size_t text);
  static size_t memory_for(size_t text);

  // Also when stopped. Cheap enough to be asked all the time. Thread: the one that made it.
  bool is_spent() const;
  std::chrono::microseconds time_left() const;  // not below 0

 private:
  std::stop_token stop_;
  std::chrono::microseconds end_;  // of the thread's time
  mutable std::chrono::steady_clock::time_point look_;  // no clock of the thread's is past end_ before
  ptrdiff_t most_;  // of the thread's count of bytes
};

}  // namespace bodkin
