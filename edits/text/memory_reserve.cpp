#include "edits/text/memory_reserve.h"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>

namespace bodkin {

namespace {

constexpr std::size_t kPart = std::size_t{4} << 20;

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

void on_failed_new() {
  if (release(going_on)) return;
  const bool released = release(unwinding);
  // What unwinds already is in a destructor, which cannot throw.
  if (!released || std::uncaught_exceptions() == 0) throw std::bad_alloc();
}

}  // namespace

void keep_memory_reserve() {
  std::set_new_handler(on_failed_new);
  fill(unwinding);
  fill(going_on);
}

bool release_memory_reserve() { return release(going_on) || release(unwinding); }

}  // namespace bodkin
