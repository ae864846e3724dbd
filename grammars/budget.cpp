#include "grammars/budget.h"

#include <pthread.h>
#include <tree_sitter/api.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "edits/text/stopping.h"
#include "grammars/allocated_size.h"
#include "grammars/memory_reserve.h"

namespace bodkin {
namespace {

using std::chrono::microseconds;

// Per thread, and only differences mean something: a tree may be freed on another one.
thread_local ptrdiff_t bytes_taken = 0;
// Reserved while a thread parses; released when an allocation fails, so that the parse can finish.
// By a key of POSIX, and not thread_local: g++ for Windows frees thread_local objects before it
// calls their destructors (its bug 83562).
constexpr size_t kParseReserve = size_t{8} << 20;
pthread_key_t reserve_key() {
  static const pthread_key_t made = [] {
    pthread_key_t key{};
    if (::pthread_key_create(&key, std::free) != 0) std::abort();
    return key;
  }();
  return made;
}
bool has_parse_reserve() { return ::pthread_getspecific(reserve_key()) != nullptr; }
void set_parse_reserve(void* memory) {
  std::free(::pthread_getspecific(reserve_key()));
  if (::pthread_setspecific(reserve_key(), memory) != 0) std::free(memory);
}

ptrdiff_t size_of(void* memory) { return static_cast<ptrdiff_t>(allocated_size(memory)); }

// tree-sitter cannot handle a failed allocation, and exceptions cannot pass through it.
template <class Allocate>
void* counted(size_t size, Allocate allocate) {
  void* memory = allocate();
  if (!memory && size > 0) {
    set_parse_reserve(nullptr);
    memory = allocate();
    while (!memory && release_memory_reserve()) memory = allocate();
    if (!memory) std::abort();  // as tree-sitter does by itself
  }
  if (memory) bytes_taken += size_of(memory);
  return memory;
}

void free_counted(void* memory) {
  if (memory) bytes_taken -= size_of(memory);
  std::free(memory);
}

void* resize_counted(void* memory, size_t size) {
  if (memory) bytes_taken -= size_of(memory);
  return counted(size, [=] { return std::realloc(memory, size); });
}

void count_memory() {
  static const bool once = [] {
    ts_set_allocator([](size_t size) { return counted(size, [=] { return std::malloc(size); }); },
                     [](size_t count, size_t size) {
                       return counted(count * size, [=] { return std::calloc(count, size); });
                     },
                     resize_counted, free_counted);
    return true;
  }();
  static_cast<void>(once);
}

microseconds time_of_thread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::duration_cast<microseconds>(std::chrono::seconds(now.tv_sec) +
                                                  std::chrono::nanoseconds(now.tv_nsec));
}

}  // namespace

// For a megabyte of code most parsers take some 0.15 s and 30 MB; for one of numbers, 0.5 s and 130
// MB.
microseconds Budget::time_for(size_t text) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr int kSlower = 5;  // a sanitizer's work is not the parser's
#else
  constexpr int kSlower = 1;
#endif
  return kSlower * (std::chrono::milliseconds(250) + microseconds(text));
}

size_t Budget::memory_for(size_t text) { return (size_t{128} << 20) + 16 * text; }

Budget::Budget(microseconds time, size_t memory, std::stop_token stop)
    : stop_(std::move(stop)),
      end_(time_of_thread() + time),
      look_(std::chrono::steady_clock::now() + time) {
  count_memory();
  if (!has_parse_reserve()) set_parse_reserve(std::malloc(kParseReserve));
  most_ = bytes_taken + static_cast<ptrdiff_t>(memory);
}

bool Budget::is_spent() const {
  if (stop_.stop_requested() || is_stopped() || bytes_taken > most_ || !has_parse_reserve())
    return true;
  const auto now = std::chrono::steady_clock::now();
  if (now < look_) return false;
  const microseconds left = time_left();
  look_ = now + left;
  return left == microseconds::zero();
}

microseconds Budget::time_left() const {
  return std::max(end_ - time_of_thread(), microseconds::zero());
}

}  // namespace bodkin
