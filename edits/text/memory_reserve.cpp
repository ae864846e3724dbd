#include "edits/text/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace bodkin {

namespace {

constexpr std::size_t kReserve = std::size_t{4} << 20;

std::atomic<void*> reserve = nullptr;

}  // namespace

void keep_memory_reserve() {
  std::set_new_handler([] {
    if (!release_memory_reserve()) throw std::bad_alloc();
  });
  if (reserve.load()) return;
  void* none = nullptr;
  void* made = std::malloc(kReserve);
  if (made && !reserve.compare_exchange_strong(none, made)) std::free(made);
}

bool release_memory_reserve() {
  void* kept = reserve.exchange(nullptr);
  std::free(kept);
  return kept != nullptr;
}

}  // namespace bodkin
