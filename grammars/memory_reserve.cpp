#include "grammars/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

namespace bodkin {

namespace {

constexpr std::size_t kPart = std::size_t{4} << 20;
constexpr std::size_t kLeast = std::size_t{64} << 10;
constexpr std::size_t kSmall = std::size_t{1} << 20;

struct Part {
  std::atomic<void*> memory = nullptr;
  std::atomic<bool> is_whole = false;
};
Part going_on, unwinding;
thread_local bool has_thrown = false;  // in this piece of work

bool release(Part& part) {
  part.is_whole = false;
  void* kept = part.memory.exchange(nullptr);
  std::free(kept);
  return kept != nullptr;
}

void fill(Part& part) {
  if (part.is_whole) return;
  release(part);
  // Less is better than none: the next piece of work begins with what there is.
  for (std::size_t size = kPart; size >= kLeast; size /= 2) {
    void* made = std::malloc(size);
    if (!made) continue;
    void* none = nullptr;
    if (part.memory.compare_exchange_strong(none, made))
      part.is_whole = size == kPart;
    else
      std::free(made);
    return;
  }
}

}  // namespace

void keep_memory_reserve() {
  has_thrown = false;
  fill(unwinding);
  fill(going_on);
}

bool release_memory_reserve() { return release(going_on) || release(unwinding); }

bool make_room(std::size_t size) {
  // A destructor may be running, which cannot throw, also within a handler.
  if (has_thrown || std::uncaught_exceptions() > 0) return release_memory_reserve();
  if (size <= kSmall && release(going_on)) return true;
  has_thrown = true;
  return false;
}

}  // namespace bodkin

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void* operator new(std::size_t size) {
  for (;;) {
    if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
    if (!bodkin::make_room(size)) throw std::bad_alloc();
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
