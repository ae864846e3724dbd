// guarded: the barrier between one piece of work and the rest of the program. Each thread and each
// event has one: an unexpected exception ends that work and nothing else.
#pragma once

#include <exception>
#include <new>
#include <system_error>

#include "grammars/memory_reserve.h"

namespace bodkin {

// The message of the exception being handled, for the user and the log. Allocates nothing.
inline const char* exception_message() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::system_error& error) {
    const bool is_thread = error.code() == std::errc::resource_unavailable_try_again;
    return is_thread ? "cannot start a thread" : error.what();
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an unknown exception";
  }
}

// Runs `work`. If it throws, `failed` is called with the message; if even that throws, because
// memory is exhausted, nothing more is done. True: `work` did not throw. What either took of the
// memory reserve is filled again.
template <class Work, class Failed>
bool guarded(Work&& work, Failed&& failed) noexcept {
  try {
    work();
    keep_memory_reserve();
    return true;
  } catch (...) {
    try {
      failed(exception_message());
    } catch (...) {
    }
    keep_memory_reserve();
    return false;
  }
}

template <class Work>
bool guarded(Work&& work) noexcept {
  return guarded(work, [](const char*) {});
}

}  // namespace bodkin
