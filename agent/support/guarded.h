// guarded: the barrier between one piece of work and the rest of the program. Each thread and each
// event has one: what its work did not expect ends that work and nothing else.
#pragma once

#include <exception>
#include <new>
#include <system_error>

#include "edits/text/memory_reserve.h"

namespace bodkin {

// The words of the exception that is being handled, for the user and the log. Needs no memory.
inline const char* words_of_exception() {
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

// Runs `work`. If it throws, `failed` is called with the words; if even that throws, for want of
// memory, nothing more is done. True: `work` ended by itself.
template <class Work, class Failed>
bool guarded(Work&& work, Failed&& failed) noexcept {
  try {
    work();
    return true;
  } catch (...) {
    try {
      failed(words_of_exception());
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
