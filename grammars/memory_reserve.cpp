#include "grammars/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

namespace bodkin {

namespace {

constexpr std::size_t kPart = std::size_t{4} << 20;
constexpr std::size_t kSmall = std::size_t{1} << 20;

std::atomic<void*> going_on = nullptr;
std::atomic<void*> unwinding = nullptr;

bool release(std::atomic<void*>& part) {
  void* kept = part.exchange(nullptr);
  std::free(kept);
  return kept != nullptr;
}

void fill(std::atomic<void*>& part) {
  if (part.load()) return;
  void* none = nullptr;
  void* made = std::malloc(kPart);
  if (made && !part.compare_exchange_strong(none, made)) std::free(made);
}

}  // namespace

void keep_memory_reserve() {
  fill(unwinding);
  fill(going_on);
}

bool release_memory_reserve() { return release(going_on) || release(unwinding); }

bool make_room(std::size_t size) {
  // During unwinding a destructor is running, which cannot throw.
  if (std::uncaught_exceptions() > 0) return release_memory_reserve();
  if (size > kSmall) return false;
  if (release(going_on)) return true;
  release(unwinding);
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
